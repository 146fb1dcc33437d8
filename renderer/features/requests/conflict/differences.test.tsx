import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { Differences } from './differences';

const long = 'a\u05d0'.repeat(50_000);
const shown = `${long.slice(0, 5000)}… (100,000 characters)`;
const labels = { mine: 'Yours', theirs: 'On disk' };

it('cuts each line that a window takes seconds to lay out, of what is the same and of what differs', () => {
  const html = renderToStaticMarkup(
    <Differences
      labels={labels}
      hunks={[
        { kind: 'same', mine: `x\n${long}\n`, theirs: `x\n${long}\n` },
        { kind: 'conflict', mine: `${long}\ny\n`, theirs: `z\n` },
      ]}
    />,
  );
  expect(html.split(shown)).toHaveLength(3);
  expect(html).not.toContain(long);
  expect(html).toContain('y\n');
});
