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

it('says whom a command asks that was told nobody, but not beside JSON', () => {
  const said: string[] = [];
  const environment = { name: 'local', baseUrl: 'http://127.0.0.1:4010' } as Environment;
  for (const isJson of [false, true]) {
    sayEnvironment({ isJson, say: (line) => void said.push(line) } as CommandContext, environment);
  }
  expect(said).toEqual(['Environment: local, http://127.0.0.1:4010']);
});
