import { expect, it } from 'vitest';
import { leaveOutUnread } from './live-lines';

it('leaves out what nobody reads, says when that begins, and how much it was', () => {
  const written: unknown[] = [];
  const said: string[] = [];
  let unread = 0;
  const { print, printJson } = leaveOutUnread({
    print: (line: string) => void written.push(line),
    printJson: (value: unknown) => void written.push(value),
    unreadBytes: () => unread,
    say: (line: string) => void said.push(line),
  });
  print('a');
  unread = 9_000_000;
  print('b');
  printJson({ c: 1 });
  expect(said).toEqual(['Stdout is not read, or too slowly: lines are left out from now on.']);
  unread = 2_000_000;
  print('still too much');
  unread = 100;
  printJson({ d: 1 });
  print('e');
  expect(written).toEqual(['a', { d: 1 }, 'e']);
  expect(said.slice(1)).toEqual(['3 lines were left out.']);
});
