import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';

const renderer = resolve(import.meta.dirname, '..', '..', 'renderer');

/** Follow events that are of no use later, or that a browser, whose connection alone can break, never hears. */
const exempt = ['app/native-menu.ts', 'session/asked-link.ts', 'session/notify-webhooks.ts'];

/** Files that follow events of the back end. */
const followers = readdirSync(renderer, { recursive: true, encoding: 'utf8' })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => /(?<!\.test)\.tsx?$/.test(path) && !path.startsWith('transport/'))
  .map((path) => ({ path, text: readFileSync(join(renderer, path), 'utf8') }))
  .filter(({ text }) =>
    /import \{[^}]*\bsubscribe\b[^}]*\} from '[^']*transport\/client'|\bfollowState\(/.test(text),
  );

it('sees who follows events', () => {
  expect(followers.length).toBeGreaterThan(10);
});

it('has everyone who follows events read anew after events were missed', () => {
  const deaf = followers.filter(({ text }) => !text.includes('afterReconnect('));
  expect(deaf.map(({ path }) => path).sort()).toEqual(exempt);
});
