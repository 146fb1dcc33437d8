import { expect, it } from 'vitest';
import type { Environment } from '@shared/contract/environments';
import type { CommandContext } from './command';
import { chooseEnvironment, sayEnvironment } from './session';

it('says which file of environments was not read, where one is not found', () => {
  const fault = {
    file: 'http-client.env.json',
    line: 1,
    message: 'http-client.env.json is no regular file.',
  };
  const listed = { environments: [], faults: [{ ...fault, collectionId: 'c' }] };
  const choose = (): unknown =>
    chooseEnvironment(listed as unknown as Parameters<typeof chooseEnvironment>[0], 'staging', {
      collectionDirectory: null,
    });
  expect(choose).toThrow(/no environment 'staging'.* http-client\.env\.json is no regular file\./);
});

it('takes an environment by the name that the app shows where two have one, and tells these names', () => {
  const of = (source: string, label: string): object => ({ name: 'local', label, source, variables: {} });
  const environments = [of('builtin', 'Local sandbox'), of('collection', 'local · my')];
  const choose = (name: string): string =>
    chooseEnvironment({ environments } as unknown as Parameters<typeof chooseEnvironment>[0], name, {
      collectionDirectory: null,
    }).label;
  expect(['local', 'Local sandbox', 'local · my'].map(choose)).toEqual([
    'local · my',
    'Local sandbox',
    'local · my',
  ]);
  expect(() => choose('nope')).toThrow("no environment 'nope', but 'Local sandbox', 'local · my'.");
});

it('says whom a command asks that was told nobody, but not beside JSON', () => {
  const said: string[] = [];
  const environment = { name: 'local', baseUrl: 'http://127.0.0.1:4010' } as Environment;
  for (const isJson of [false, true]) {
    sayEnvironment({ isJson, say: (line) => void said.push(line) } as CommandContext, environment);
  }
  expect(said).toEqual(['Environment: local, http://127.0.0.1:4010']);
});
