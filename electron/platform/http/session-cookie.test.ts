import { expect, it } from 'vitest';
import { removeSessionCookie } from './session-cookie';

const strip = (...lines: string[]): string[] =>
  removeSessionCookie(Buffer.from(lines.join('\r\n'), 'latin1'))
    .toString('latin1')
    .split('\r\n');
const REQUEST = 'POST / HTTP/1.1';

it('takes our session cookie out, wherever it stands, and nothing else', () => {
  expect(strip(REQUEST, 'Cookie: countersign_4000=secret', 'X: \xfc')).toEqual([REQUEST, 'X: \xfc']);
  expect(strip(REQUEST, 'X: 1', 'cookie:countersign_1=a')).toEqual([REQUEST, 'X: 1']);
  expect(strip(REQUEST, 'Cookie: a=1; countersign_4000=s; b=$&;  countersign_9=t')).toEqual([
    REQUEST,
    'Cookie: a=1; b=$&',
  ]);
  for (const kept of ['Cookie: a=1;b=2', 'X-Note: countersign_4000=s', 'Cookie: my_countersign_1=x;  y=2']) {
    expect(strip(REQUEST, kept)).toEqual([REQUEST, kept]);
  }
});
