import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Environment } from '../contract/environments';
import { countProcessorMs } from '../../test/support/processor-time';
import { createEnvironmentFinder, findEnvironmentWith } from './find-environment-with';

const environment = (id: string, variables: Record<string, string>, more: Partial<Environment> = {}) =>
  ({ id, label: id, kind: 'sandbox', baseUrl: '', variables, ...more }) as Environment;

it('finds for each name what is found for it alone', () => {
  const made = fc.record({
    id: fc.constantFrom('local', 'data/a', 'data/b', 'c1/a', 'c2/a', 'run/x'),
    kind: fc.constantFrom('sandbox' as const, 'production' as const),
    baseUrl: fc.constantFrom('http://a', 'http://b'),
    variables: fc.dictionary(fc.constantFrom('one', 'two', '__proto__'), fc.constantFrom('', '1')),
  });
  fc.assert(
    fc.property(fc.array(made, { maxLength: 8 }), fc.constantFrom('http://a', 'http://b'), (all, baseUrl) => {
      const environments = all.map((one, at) =>
        environment(one.id, one.variables, { ...one, label: `${at}` }),
      );
      const chosen = { id: 'local', baseUrl };
      const find = createEnvironmentFinder(chosen, environments, 'c1');
      for (const name of ['one', 'two', '__proto__', 'constructor']) {
        const alone = findEnvironmentWith([name], chosen, environments, 'c1');
        expect(find(name)).toBe(alone?.environment.label ?? null);
      }
    }),
  );
});

it('looks through many environments once', () => {
  const many = Array.from({ length: 20_000 }, (_one, at) => environment(`data/${at}`, { [`v${at}`]: '1' }));
  const processorMs = countProcessorMs();
  const find = createEnvironmentFinder({ id: 'local', baseUrl: '' }, many, '');
  expect(Array.from({ length: 20_000 }, (_one, at) => find(`v${at}`)).at(-1)).toBe('data/19999');
  expect(processorMs()).toBeLessThan(1000);
});
