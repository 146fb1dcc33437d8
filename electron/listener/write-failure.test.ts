import { describe, expect, it } from 'vitest';
import { describeWriteFailure } from './write-failure';

describe('describeWriteFailure', () => {
  it.each([
    [13, 'listener.disk_full', /disk is full/],
    [8, 'listener.unwritable', /permissions/],
    [1032, 'listener.unwritable', /permissions/],
    [5, 'listener.not_stored', /answered 503/],
    [undefined, 'listener.not_stored', /answered 503/],
  ])('names SQLite’s code %s', (rawCode, code, words) => {
    const failure = describeWriteFailure(Object.assign(new Error('x'), { rawCode }));
    expect(failure).toMatchObject({ code, retryable: true });
    expect(failure.message).toMatch(words);
  });
});
