import { expect, it } from 'vitest';
import type { ReceiverStatus } from '@shared/contract/receiver';
import { describeCheck } from './receiver-selectors';

it('names the address of a check where another one stands in the form, without its query', () => {
  const status = {
    state: 'done',
    url: 'http://127.0.0.1:9/?key=secret',
    planned: ['success'],
    results: [],
  } as never as ReceiverStatus;
  expect(describeCheck(status, ' http://127.0.0.1:9?key=secret')).toBe('Done: 0 of 1 played, none failed.');
  expect(describeCheck(status, 'http://127.0.0.1:10')).toBe(
    'Done at http://127.0.0.1:9/: 0 of 1 played, none failed.',
  );
});
