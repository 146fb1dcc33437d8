import { expect, it, vi } from 'vitest';
import type { PlannedSecrets } from '@shared/import/layout/plan-environments';
import { describeCounts } from '@shared/import/describe-counts';
import type { EnvironmentsService } from '../environments/create-environments-service';
import { describeCredentials, sealCredentials } from './seal-credentials';

const planned = (environment: string, baseUrl: string, ...names: string[]): PlannedSecrets => ({
  environment,
  baseUrl,
  variables: {},
  secrets: names.map((name) => ({ name, value: 'v-12345' })),
});

/** Keeps what is saved as the service does, so far as an import sees it. */
function fakeService(...own: { name: string; baseUrl: string; variables: Record<string, string> }[]) {
  const kept = own.map((one) => ({ ...one, source: 'data', id: `data/${one.name}` }));
  const save = vi.fn((given: { id?: string; name: string; baseUrl: string; variables: object }) => {
    const at = kept.findIndex(({ id }) => id === given.id);
    kept.splice(at === -1 ? kept.length : at, 1, {
      source: 'data',
      id: `data/${given.name}`,
      ...(given as (typeof own)[number]),
    });
    return Promise.resolve();
  });
  const service = { list: () => [...kept], handlers: { 'environments.save': save } };
  return { save, service: service as unknown as EnvironmentsService };
}

it('tells before an import the very environments that it uses then', async () => {
  const taken = { name: 'api.example.com', baseUrl: 'https://other.example', variables: {} };
  const free = { name: 'Staging', baseUrl: 'https://staging.example', variables: { note: 'x' } };
  const { service, save } = fakeService(taken, free);
  const all = [
    planned('api.example.com', 'https://api.example.com', 'api_key'),
    planned('api.example.com', 'http://api.example.com', 'api_key'),
    planned('Staging', 'https://staging.example', 'api_secret', 'plain'),
  ];
  const before = describeCredentials(all, service);
  expect(save).not.toHaveBeenCalled();
  const after = await sealCredentials(all, service);
  expect(before.environments).toEqual(['api.example.com 2', 'api.example.com 3', 'Staging']);
  expect(after.environments).toEqual(before.environments);
  expect(before.notes[0]?.what).toContain("in your environment 'api.example.com 2'");
  expect(after.notes[0]?.what).toContain("in your environment 'api.example.com 2'");
  expect(before.notes.at(-1)?.what).toContain('{{plain}} is a credential, and is dropped');
  expect(after.notes.at(-1)?.what).toContain('{{plain}} is a credential, and was dropped');
});

it('says before and after that a credential without an address is dropped', async () => {
  const { service, save } = fakeService();
  const one = [planned('Own', '', 'api_key')];
  const why = 'dropped: nothing in it tells the address that it is for. Set it in Environments.';
  expect(describeCredentials(one, service)).toEqual({
    environments: [],
    notes: [{ where: 'Own', what: `The value of {{api_key}} is a credential, and is ${why}` }],
  });
  expect((await sealCredentials(one, service)).notes[0]?.what).toContain(`and was ${why}`);
  expect(save).not.toHaveBeenCalled();
});

it('counts no environment where nothing is kept', async () => {
  const one = [planned('Shop', 'https://shop.example', 'api_key')];
  expect(describeCredentials(one, null)).toMatchObject({ environments: [] });
  expect(await sealCredentials(one, null)).toMatchObject({ environments: [] });
});

it('tells own environments apart from those in the files', () => {
  const made = { requests: 1, folders: 0, environments: 0 };
  expect(describeCounts({ ...made, ownEnvironments: [] })).toBe('1 request, 0 folders, 0 environments');
  expect(describeCounts({ ...made, ownEnvironments: ['127.0.0.1:4013'] })).toBe(
    '1 request, 0 folders, 0 environments in the files; 1 environment of your own',
  );
});

it('speaks of no environment where no vault is open, and says what keeps the value', async () => {
  const { notes } = await sealCredentials([planned('127.0.0.1:45110', '', 'api_token')], null);
  expect(notes.map(({ where }) => where)).toEqual(['{{api_token}}']);
  expect(notes[0]!.what).toContain('import with --data DIR');
  expect(JSON.stringify(notes)).not.toMatch(/45110|v-12345|Set it in Environments/);
});

it('says once of a credential that stands in several environments that no vault keeps it', async () => {
  const all = [planned('UAT', '', 'api_token', 'pin'), planned('Live', '', 'api_token')];
  const { notes } = await sealCredentials(all, null);
  expect(notes.map(({ where }) => where)).toEqual(['{{api_token}}', '{{pin}}']);
  expect(describeCredentials(all, null).notes.map(({ where }) => where)).toEqual([
    '{{api_token}}',
    '{{pin}}',
  ]);
});
