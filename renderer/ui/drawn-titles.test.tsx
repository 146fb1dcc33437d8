import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { EmptyState } from './empty-state';
import { PaneHeader, PaneSummary } from './pane-header';
import { TextField } from './text-field';

const long = 'a\u05d0'.repeat(50_000);
const shown = `${long.slice(0, 5000)}… (100,000 characters)`;

it.each([
  <EmptyState key="empty" title={long} />,
  <PaneHeader key="header" title={long} />,
  <PaneSummary key="summary" title={long} />,
])('cuts a title that a window takes seconds to lay out (%#)', (element) => {
  const html = renderToStaticMarkup(element);
  expect(html).toContain(`>${shown}<`);
  expect(html).not.toContain(long);
});

/** They stand beside the page, where no server draws them. */
it.each([
  ['dialog.tsx', 'title', '<ForeignText text={title} />'],
  ['menu.tsx', 'action.label'],
  ['menu.tsx', 'action.obstacle'],
  ['select.tsx', 'option.detail'],
  ['tooltip.tsx', 'text', '<ForeignText text={text} />'],
  ['show-said.ts', 'text'],
])('cuts so in %s the %s', (file, what, cut = `cutDrawn(${what})`) => {
  const source = readFileSync(join(import.meta.dirname, file), 'utf8');
  expect(source).toContain(cut);
  expect(source).not.toMatch(new RegExp(`(?:>|= )\\s*\\{?${what.replace('.', '\\.')}(?:\\}\\s*<|;)`));
});

it('offers to empty a field that takes as long, but not one that is only to be read', () => {
  const draw = (isReadOnly: boolean): string =>
    renderToStaticMarkup(
      <TextField label="Name" value={long} onChange={() => undefined} isReadOnly={isReadOnly} />,
    );
  expect(draw(false)).toContain('Delete empties it');
  expect(draw(true)).toContain('title="Too long to be shown here. Copied, it is whole."');
});
