import { expect, it } from 'vitest';
import type { Environment } from '@shared/contract/environments';
import { findEnvironmentWith } from '@shared/http-file/find-environment-with';
import { describeMissing } from './describe-missing';

const at = (id: string, variables: Record<string, string>, more: Partial<Environment> = {}): Environment =>
  ({ id, label: id, kind: 'sandbox', baseUrl: `https://${id}`, variables, ...more }) as Environment;
const active = at('local', {});
const find = (names: string[], environments: Environment[]) =>
  findEnvironmentWith(names, active, [active, ...environments], 'c1');

it('finds the environment that has the most of what is missing', () => {
  const few = at('data/few', { one: '1' });
  const all = at('data/all', { one: '1', two: '{{vault.two}}' });
  expect(find(['one', 'two'], [few, all])).toMatchObject({ environment: all, has: ['one', 'two'] });
  expect(find(['three'], [few, all])).toBeNull();
  expect(find(['empty'], [at('data/x', { empty: '' })])).toBeNull();
});

it('takes the one of the same address among equals', () => {
  const here = at('data/here', { one: '1' }, { baseUrl: active.baseUrl });
  expect(find(['one'], [at('data/there', { one: '1' }), here])?.environment).toBe(here);
});

it('offers neither production nor what another collection brought', () => {
  const own = at('c1/staging', { one: '1' });
  const others = [at('data/live', { one: '1' }, { kind: 'production' }), at('c2/staging', { one: '1' })];
  expect(find(['one'], others)).toBeNull();
  expect(find(['one'], [...others, own])?.environment).toBe(own);
});

it('says who has the value, and what to do for the rest', () => {
  const missing = [
    { name: 'key', place: 'a header' },
    // One that is secret by its name belongs in no file.
    { name: 'secret', place: 'the body' },
  ];
  expect(describeMissing(missing.slice(0, 1), null)).toBe(
    'No value for {{key}} in a header. Give it one in the environment, for this run, or as “@key = …” in the file.',
  );
  expect(describeMissing(missing, null)).toBe(
    'No value for {{key}} in a header, {{secret}} in the body. {{key}}: Give each one in the environment, for this run, or as “@key = …” in the file. {{secret}}: Give each one in an environment of your own, where the vault seals it, or for this run.',
  );
  expect(describeMissing(missing, { label: 'Staging', has: ['key', 'secret'] })).toBe(
    'No value for {{key}} in a header, {{secret}} in the body. They are among the variables of “Staging”.',
  );
  expect(describeMissing(missing, { label: 'Staging', has: ['key'] })).toBe(
    'No value for {{key}} in a header, {{secret}} in the body. {{key}} is among the variables of “Staging”. Give the other one a value in an environment of your own, where the vault seals it, or for this run.',
  );
});
