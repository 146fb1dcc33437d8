import { expect, it } from 'vitest';
import { readKnownOutput } from './known-outputs';

it.each([
  ['$(uuidgen)', '$uuid'],
  ['`uuidgen`', '$uuid'],
  ["$(uuidgen | tr '[:upper:]' '[:lower:]')", '$uuid'],
  ['$(uuidgen | tr A-Z a-z)', '$uuid'],
  ['$( cat /proc/sys/kernel/random/uuid )', '$uuid'],
  ['$(date +%s)', '$timestamp'],
  ['$(date -u +%s)', '$timestamp'],
  ['$(date +%Y%m%d%H%M%S)', "$localDatetime 'YYYYMMDDHHmmss'"],
  ['$(date -u +"%Y-%m-%dT%H:%M:%SZ")', "$datetime 'YYYY-MM-DD[T]HH:mm:ss[Z]'"],
  ["$(date -u '+%F %T.%3N')", "$datetime 'YYYY-MM-DD HH:mm:ss.SSS'"],
])('knows %s', (written, expression) => {
  expect(readKnownOutput(written)).toBe(expression);
});

it.each([
  '$(date)',
  '$(date +%A)',
  '$(date +%s%3N)',
  '$(date +%s000)',
  "$(date -d '+1 day' +%F)",
  '$(date +%F"-x")',
  '$(date +[%F])',
  '$(date +$FORMAT)',
  '$(uuidgen -t)',
  '$(uuidgen | base64)',
  '$(cat /etc/hostname)',
])('does not guess at %s', (written) => {
  expect(readKnownOutput(written)).toBeNull();
});
