import { describe, expect, it } from 'vitest';
import { AppError } from '@shared/errors';
import { describeWriteFailure } from './write-failure';

describe('describeWriteFailure', () => {
  it.each([
    [new AppError('platform.disk_full', 'x'), 'listener.disk_full', /disk is full/],
    [new AppError('platform.unwritable', 'x'), 'listener.unwritable', /permissions/],
    [Object.assign(new Error('x'), { rawCode: 5 }), 'listener.not_stored', /answered 503/],
    [new Error('x'), 'listener.not_stored', /answered 503/],
  ])('says of %s what becomes of webhooks', (error, code, words) => {
    const failure = describeWriteFailure(error);
    expect(failure).toMatchObject({ code, retryable: true });
    expect(failure.message).toMatch(words);
  });
});
