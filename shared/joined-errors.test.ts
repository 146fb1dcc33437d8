import { expect, it } from 'vitest';
import { AppError, toErrorReply } from './errors';
import { joinErrors, listJoined } from './joined-errors';

const noKey = new AppError('keys.none_for_environment', 'No key.', { details: { environment: 'data/x' } });
const noCredentials = new AppError('tokens.no_credentials', 'No credentials.');

it('makes one error of several, by the first, and gives them back', () => {
  const joined = joinErrors([noKey, noCredentials, new AppError('keys.none_for_environment', 'No key.')])!;
  expect(joined).toMatchObject({
    code: 'keys.none_for_environment',
    message: 'No key. No credentials.',
    details: { environment: 'data/x' },
  });
  const crossed = JSON.parse(JSON.stringify(toErrorReply(joined))) as ReturnType<typeof toErrorReply>;
  expect(listJoined(crossed).map(({ code, message }) => [code, message])).toEqual([
    ['keys.none_for_environment', 'No key.'],
    ['tokens.no_credentials', 'No credentials.'],
  ]);
});

it('leaves one by itself as it is, and makes none of none', () => {
  expect(joinErrors([noKey])).toBe(noKey);
  expect(listJoined(noKey)).toEqual([noKey]);
  expect(joinErrors([])).toBeNull();
});
