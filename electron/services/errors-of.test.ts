import { expect, expectTypeOf, it } from 'vitest';
import type { DeclaredCode } from '@shared/contract/contract';
import { methodsOf } from '@shared/contract/define';
import { nothing } from '@shared/contract/common';
import { isErrorCode } from '@shared/error-codes';
import { AppError } from '@shared/errors';
import { errorsOf } from './errors-of';

// What stands under `@ts-expect-error` must not compile: `tsc -b` fails where it does.

it('gives a service the codes that its methods declare, and those of every host', () => {
  const InboxError = errorsOf<'inbox.get'>();
  expect(new InboxError('inbox.unknown', 'Gone.')).toBeInstanceOf(AppError);
  expect(new InboxError('platform.disk_full', 'Full.').code).toBe('platform.disk_full');
  // @ts-expect-error -- another area's code, which `inbox.get` does not declare
  expect(new InboxError('history.unknown', 'Gone.')).toBeInstanceOf(AppError);
  // @ts-expect-error -- no method has this name
  errorsOf<'inbox.fetch'>();
});

it('takes the codes of a group of methods', () => {
  const KeysError = errorsOf<'keys'>();
  expect(new KeysError('vault.locked', 'Locked.').code).toBe('vault.locked');
  // @ts-expect-error -- no method of `keys` declares it
  expect(new KeysError('tokens.none', 'None.')).toBeInstanceOf(AppError);
});

it('knows no code besides the table', () => {
  // @ts-expect-error -- no such reason
  expect(isErrorCode(new AppError('inbox.gone', 'Gone.').code)).toBe(false);
  // @ts-expect-error -- a method cannot declare what there is not
  methodsOf().read({ input: nothing, output: nothing, errors: ['inbox.gone'] });
  expect(['inbox.unknown', 'toString', 'app.constructor', 'inbox', ''].map(isErrorCode)).toEqual([
    true,
    false,
    false,
    false,
    false,
  ]);
});

it('reads a method without codes of its own as one with those of every host alone', () => {
  expectTypeOf<Extract<DeclaredCode<'vault.status'>, `vault.${string}`>>().toEqualTypeOf<never>();
  expectTypeOf<'vault.locked'>().toExtend<DeclaredCode<'vault.lock'>>();
});
