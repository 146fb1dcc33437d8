import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { ErrorBoundary } from './error-boundary';

function render(error: Error): ReactNode {
  const boundary = new ErrorBoundary({ name: 'Sandbox', children: 'the view' });
  boundary.state = ErrorBoundary.getDerivedStateFromError(error);
  return boundary.render();
}

it.each([
  'Failed to fetch dynamically imported module: http://127.0.0.1:4100/assets/sandbox-view-Byj0FYf9.js',
  'error loading dynamically imported module: http://127.0.0.1:4100/assets/sandbox-view-Byj0FYf9.js',
  'Importing a module script failed.',
])('offers to reload where a part of the app is gone, in words of ours: %s', (message) => {
  const html = renderToStaticMarkup(<>{render(new TypeError(message))}</>);
  expect(html).toContain('Reload the window');
  expect(html).not.toContain('module');
});

it('says any other fault as it is, and tries again', () => {
  expect(render(new Error('x is undefined'))).toMatchObject({
    props: { title: 'Sandbox could not be drawn' },
  });
});
