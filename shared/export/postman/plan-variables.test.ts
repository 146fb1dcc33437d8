import { expect, it } from 'vitest';
import { findPostmanVariable } from './plan-variables';

it('takes a variable of Postman where it means the same', () => {
  expect(['$uuid', '$randomInt', '$randomInt 1 2', 'toString'].map(findPostmanVariable)).toEqual([
    '$randomUUID',
    '$randomInt',
    null,
    null,
  ]);
});
