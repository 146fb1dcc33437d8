import { expect, it } from 'vitest';
import {
  isCalendarDate,
  isEmail,
  isLoopbackName,
  isMsisdn,
  isPlainTimestamp,
  isUtcTimestamp,
  parseWebUrl,
  readWebUrl,
} from './text-formats';

/** What is taken, and what is not. */
const tables: [name: string, isRight: (text: string) => boolean, right: string[], wrong: string[]][] = [
  [
    'a calendar date',
    isCalendarDate,
    ['2026-01-01', '2026-12-31', '2024-02-29', '2000-02-29', '0000-01-01', '2026-04-30', '1999-09-09'],
    [
      '', '2026-1-01', '2026-01-1', '2026-13-01', '2026-00-10', '2026-01-00', '2026-01-32', '2026-04-31', '2026-02-29',
      '1900-02-29', '2024-02-30', '2026/01-01', '2026-01/01', '2026-01-010', 'x026-01-01', '202x-01-01', '2026-x1-01',
      '2026-1x-01', '2026-01-x1', '2026-01-1x', '2026-01-1:', '2026-01-1/', ' 2026-01-01',
      ...['03', '05', '07', '08', '10'].map((month) => `2026-${month}-32`),
      ...['06', '09', '11'].map((month) => `2026-${month}-31`),
    ],
  ],
  [
    'a timestamp of a remittance',
    isPlainTimestamp,
    ['2026-01-02 00:00:00', '2026-01-02 23:59:59', '2026-01-02 09:09:09'],
    [
      '', '2026-01-02T03:04:05', '2026-01-02 3:04:05', '2026-01-02 24:00:00', '2026-01-02 00:60:00', '2026-01-02 00:00:60',
      '2026-01-02 03-04:05', '2026-01-02 03:04-05', '2026-01-02 03:04:05Z', '2026-01-02 x3:04:05', '2026-01-02 03:x4:05',
      '2026-01-02 03:04:x5', '2026-01-02 03:04:5x', '2026-02-30 03:04:05', '2026-01-02 03:04:5',
    ],
  ],
  [
    'a timestamp in UTC',
    isUtcTimestamp,
    ['2026-01-02T03:04:05Z', '2026-01-02T23:59:59.1Z', '2026-01-02T03:04:05.123456789Z'],
    [
      '', 'Z', '2026-01-02T03:04:05', '2026-01-02 03:04:05Z', '2026-01-02T03:04:05z', '2026-01-02T03:04:05.Z',
      '2026-01-02T03:04:05,1Z', '2026-01-02T03:04:05.1xZ', '2026-01-02T03:04:05+00:00', '2026-02-30T03:04:05Z',
      '2026-01-02T24:04:05Z', '2026-01-02T03:04:5Z', '2026-01-02T03:04:051Z',
    ],
  ],
  [
    'a phone number',
    isMsisdn,
    ['2547000', '254700000000000', '1234567', '9999999'],
    ['', '123456', '2547000000000000', '0547000', '+2547000', '25470x0', '254700 ', '25470:0', '25470/0'],
  ],
  [
    'an email address',
    isEmail,
    ['a@b', 'a.b+c@d.example', 'é@ü'],
    ['', '@', 'a', 'a@', '@b', 'a@b@c', 'a@b@', 'a b@c', 'a@b ', '\ta@b', 'a@b\n'],
  ],
  [
    'a name of this machine',
    isLoopbackName,
    ['localhost', 'a.localhost', '127.0.0.1', '127.255.1.20', '[::1]'],
    ['', 'localhost.example', 'alocalhost', '128.0.0.1', '127.0.0', '127.0.0.1.example', 'x127.0.0.1', '127.0.0.1234', '[::2]', '127.x.0.1'],
  ],
  [
    'a web address',
    (text) => parseWebUrl(text) !== null,
    ['https://a', 'http://a:1/x?y#z', 'HTTPS://A'],
    ['', 'a', '//a', 'ftp://a', 'file:///a', 'javascript:1', 'https://', 'http:', 'data:,x'],
  ],
]; // prettier-ignore

it.each(tables)('tells %s', (_name, isRight, right, wrong) => {
  expect(right.filter((text) => !isRight(text))).toEqual([]);
  expect(wrong.filter((text) => isRight(text))).toEqual([]);
});

it('reads the same address twice, and another one after it, for what it is', () => {
  for (const text of [
    'https://a.example/x',
    'https://a.example/x',
    'http://b.example',
    'nothing',
    '',
    'https://a.example',
  ]) {
    const read = readWebUrl(text);
    expect([text, read?.hostname, read?.protocol]).toEqual([
      text,
      parseWebUrl(text)?.hostname,
      parseWebUrl(text)?.protocol,
    ]);
  }
});
