import { expect, it, vi } from 'vitest';
import type { PlannedSecrets } from '@shared/import/layout/plan-environments';
import { describeCounts } from '@shared/import/describe-counts';
import { AppError } from '@shared/errors';
import { describeCredentials, sealCredentials, type ImportKeeper } from './seal-credentials';

const planned = (environment: string, baseUrl: string, ...names: string[]): PlannedSecrets => ({
  environment,
  baseUrl,
  variables: {},
  secrets: names.map((name) => ({ name, value: 'v-12345' })),
});

/** Keeps what is saved as the service does, so far as an import sees it. */
function fakeService(
  ...own: { name: string; kind?: string; baseUrl: string; variables: Record<string, string> }[]
) {
  const kept = own.map((one) => ({ ...one, source: 'data', id: `data/${one.name}` }));
  const save = vi.fn((given: { id?: string; name: string; baseUrl: string; variables: object }) => {
    const at = kept.findIndex(({ id }) => id === given.id);
    kept.splice(at === -1 ? kept.length : at, 1, {
      source: 'data',
      id: `data/${given.name}`,
      ...(given as (typeof own)[number]),
    });
    return Promise.resolve({ id: `data/${given.name}` });
  });
  const environments = {
    list: () => [...kept],
    saveImported: save,
    readSecret: () => Promise.reject(new AppError('vault.locked', 'It is locked.')),
  };
  const keys: { id: string; environment: string | null; fingerprint: string }[] = [];
  const credentials: { environment: string; consumerSecret: string }[] = [];
  const vault = {
    'vault.status': () => ({ state: 'unlocked' }),
    'credentials.list': () => ({ credentials }),
    'credentials.save': vi.fn((one: (typeof credentials)[number]) => void credentials.push(one)),
    'keys.list': () => ({ keys }),
    'keys.inspect': ({ text }: { text: string }) => {
      if (text.includes('sealed')) throw new AppError('keys.passphrase_needed', 'Give its passphrase.');
      return {
        kind: 'private',
        fingerprint: text,
        vaultKeyIds: keys.filter((one) => one.fingerprint === text).map(({ id }) => id),
        environments: keys.filter((one) => one.fingerprint === text).map(({ environment }) => environment),
      };
    },
    'keys.import': vi.fn(({ text, environment }: { text: string; environment: string }) => {
      keys.push({ id: String(keys.length), environment, fingerprint: text });
    }),
  };
  return {
    save,
    kept,
    vault,
    keys,
    credentials,
    service: { environments, vault } as unknown as ImportKeeper,
  };
}

const pem = (text: string) => `-----BEGIN PRIVATE KEY-----\n${text}\n-----END PRIVATE KEY-----`;
const postman = (environment: string, baseUrl: string, key: string): PlannedSecrets => ({
  environment,
  baseUrl,
  variables: { consumerKey: `ck-${environment}` },
  secrets: [
    { name: 'consumerSecret', value: `cs-${environment}` },
    { name: 'privateKey', value: pem(key) },
  ],
});
const advice = ({ notes }: { notes: readonly { what: string }[] }) =>
  notes.map(({ what }) => what.replace(/.*environment '[^']*'\. ?/, ''));

it('has the app sign and fetch tokens with what came for an address, bound to the environment made for it', async () => {
  const { service, vault, save } = fakeService();
  const all = [postman('UAT', 'https://uat.example', 'one'), postman('Live', 'https://api.example', 'one')];
  const known =
    'To sign with it there, choose that environment for it under Keys, where it is already, in the place of any that it has.';
  const said = ['The app fetches tokens with it there.', 'The app signs with it there.'];
  expect(advice(await describeCredentials(all, service))).toEqual([...said, said[0], known]);
  expect(save).not.toHaveBeenCalled();
  expect(advice(await sealCredentials(all, service))).toEqual([...said, said[0], known]);
  expect(vault['credentials.save'].mock.calls).toEqual([
    [{ environment: 'data/UAT', product: null, consumerKey: 'ck-UAT', consumerSecret: 'cs-UAT' }],
    [{ environment: 'data/Live', product: null, consumerKey: 'ck-Live', consumerSecret: 'cs-Live' }],
  ]);
  expect(vault['keys.import'].mock.calls).toEqual([
    [{ environment: 'data/UAT', name: 'UAT', text: pem('one') }],
  ]);
});

it('leaves to the user what was there before, what cannot be read and what nothing tells the address of', async () => {
  const free = { name: 'UAT', baseUrl: 'https://uat.example', variables: {} };
  const { service, vault, keys, credentials } = fakeService(free);
  keys.push({ id: 'k', environment: 'data/UAT', fingerprint: 'own' });
  credentials.push({ environment: 'data/UAT', consumerSecret: 'own' });
  const fetched = 'To have tokens fetched, enter consumer key and secret in Environments.';
  const signed = 'To sign with it, import it under Keys.';
  const uat = postman('UAT', 'https://uat.example', 'one');
  const own = 'The app fetches tokens with the consumer key and secret that it has there already.';
  expect(advice(await sealCredentials([uat], service)).slice(0, 2)).toEqual([own, signed]);
  const guessed = { ...postman('B', 'https://b.example', 'two'), isGuessed: true };
  expect(advice(await sealCredentials([guessed], service))).toEqual([fetched, signed]);
  const sealed = { ...postman('C', 'https://c.example', 'sealed'), variables: { consumerKey: 'YOUR_KEY' } };
  expect(advice(await sealCredentials([sealed], service))).toEqual([fetched, signed]);
  vault['credentials.save'].mockImplementation(() => {
    throw new AppError('vault.locked', 'It is locked.');
  });
  const refused = postman('D', 'https://d.example', 'four');
  expect(advice(await sealCredentials([refused], service))).toEqual([
    fetched,
    'The app signs with it there.',
  ]);
  expect(vault['keys.import']).toHaveBeenCalledTimes(1);
});

it('takes nothing in the place of credentials of an environment that was deleted, or of a key that belongs to none', async () => {
  const { service, vault, keys, credentials } = fakeService({
    name: 'UAT',
    baseUrl: 'https://uat.example',
    variables: {},
  });
  keys.push({ id: 'k', environment: null, fingerprint: 'own' });
  credentials.push({ environment: 'data/Gone', consumerSecret: 'own' });
  await sealCredentials([postman('UAT', 'https://uat.example', 'one')], service);
  await sealCredentials([postman('Gone', 'https://gone.example', 'two')], service);
  expect(vault['keys.import'].mock.calls).toMatchObject([[{ environment: 'data/Gone' }]]);
  expect(vault['credentials.save'].mock.calls).toMatchObject([[{ environment: 'data/UAT' }]]);
});

it('leaves an own environment the values that it has, says what it gets, and takes the same again', async () => {
  const variables = { recipient: '254700' };
  const { service, kept, keys } = fakeService({ name: 'UAT', baseUrl: 'https://uat.example', variables });
  const stranger: PlannedSecrets = {
    ...postman('UAT', 'https://UAT.example:443/', 'one'),
    variables: { base_url: 'https://UAT.example:443/', recipient: '666', amount: '9' },
  };
  const said = [
    "Your environment 'UAT' gets amount, too.",
    "Your environment 'UAT' keeps its own values of recipient.",
  ];
  expect(advice(await describeCredentials([stranger], service)).slice(2)).toEqual(said);
  expect(advice(await sealCredentials([stranger], service)).slice(2)).toEqual(said);
  expect(kept).toMatchObject([{ baseUrl: 'https://uat.example', variables: { ...variables, amount: '9' } }]);
  expect(keys).toHaveLength(1);
  const again = await sealCredentials([stranger], service);
  expect(advice(again)[1]).toBe('The app signs with it there.');
  const other = { ...stranger, secrets: [{ name: 'consumerSecret', value: 'other' }] };
  for (let count = 0; count < 2; count++) await sealCredentials([other], service);
  expect(kept.map(({ name }) => name)).toEqual(['UAT', 'UAT 2']);
  expect(kept[0]!.variables).toMatchObject({ consumerSecret: 'cs-UAT' });
});

it('says of an environment that is there with other values that it stays', async () => {
  const sealed = { name: 'UAT', baseUrl: 'https://uat.example', variables: { pin: '{{vault.pin}}' } };
  const { service } = fakeService(sealed);
  const { environments, notes } = await sealCredentials([planned('UAT', sealed.baseUrl, 'pin')], service);
  expect(environments).toEqual(['UAT 2']);
  expect(notes.at(-1)?.what).toContain("Your environment 'UAT' has values of its own for that, and stays");
});

it('makes production of what goes where production goes, and takes no name of a collection’s that goes elsewhere', async () => {
  const live = { name: 'Mine', kind: 'production', baseUrl: 'https://api.example', variables: {} };
  const { service, kept, save } = fakeService(live, { ...live, name: 'UAT', kind: 'sandbox' });
  Object.assign(kept[1]!, { source: 'collection' });
  const all = [planned('UAT', 'https://evil.example', 'pin'), planned('Tests', live.baseUrl, 'pin')];
  expect((await describeCredentials(all, service)).environments).toEqual(['UAT 2', 'Tests']);
  await sealCredentials(all, service);
  expect(save.mock.calls).toMatchObject([
    [{ name: 'UAT 2', kind: 'sandbox' }],
    [{ name: 'Tests', kind: 'production' }],
  ]);
});

it.each([
  ['locked', 'the vault is locked (unlock it first)'],
  ['unreadable', 'the vault cannot take it now'],
])('says before an import that a vault that is %s takes nothing', async (state, why) => {
  const { service, vault } = fakeService();
  Object.assign(vault, { 'vault.status': () => ({ state }) });
  const { environments, notes } = await describeCredentials(
    [planned('UAT', 'https://u.example', 'pin')],
    service,
  );
  expect(environments).toEqual([]);
  expect(notes[0]?.what).toContain(`is dropped: ${why}.`);
});

it('makes production of another spelling of a production host, and leaves an environment that is there its kind', async () => {
  const live = { name: 'Live', kind: 'production', baseUrl: 'https://pay.example', variables: {} };
  const copy = { name: 'Copy of live', kind: 'sandbox', baseUrl: 'https://copy.example', variables: {} };
  const { service, kept } = fakeService(live, copy);
  const all = [
    planned('Team', 'https://PAY.example.:443/v1', 'api_token'),
    planned('Copy of live', 'https://copy.example', 'api_token'),
  ];
  await sealCredentials(all, service);
  expect(kept.map(({ name, kind }) => [name, kind])).toEqual([
    ['Live', 'production'],
    ['Copy of live', 'sandbox'],
    ['Team', 'production'],
  ]);
});

it('takes no address for webhooks into an environment that is there: it follows the listener', async () => {
  const { service, kept } = fakeService({ name: 'UAT', baseUrl: 'https://uat.example', variables: {} });
  const variables = { callback_url: 'https://elsewhere.example', shop: 'A1' };
  const all = [{ ...planned('UAT', 'https://uat.example', 'api_token'), variables }];
  const said = [
    "Your environment 'UAT' gets shop, too.",
    "Your environment 'UAT' keeps its own values of callback_url.",
  ];
  expect(advice(await describeCredentials(all, service)).slice(1)).toEqual(said);
  expect(advice(await sealCredentials(all, service)).slice(1)).toEqual(said);
  expect(kept[0]!.variables).toEqual({ shop: 'A1', api_token: 'v-12345' });
});

it.each([
  ['prod', 'http://pay.example', 'A production address must begin with https://'],
  ['UAT', 'https://pay.example@other.example', 'must not hold a user name or password'],
  ['-x', 'https://pay.example', 'The name must not be empty, begin with -'],
])('says before an import that an environment %s at %s would be refused', async (name, baseUrl, why) => {
  const { service } = fakeService();
  const { environments, notes } = await describeCredentials([planned(name, baseUrl, 'api_token')], service);
  expect(environments).toEqual([]);
  expect(notes.map(({ what }) => what)).toEqual([
    expect.stringContaining('is a credential, and is dropped: '),
  ]);
  expect(notes[0]!.what).toContain(why);
});

it('tells before an import the very environments that it uses then', async () => {
  const taken = { name: 'api.example.com', baseUrl: 'https://other.example', variables: {} };
  const free = { name: 'Staging', baseUrl: 'https://staging.example', variables: { note: 'x' } };
  const { service, save } = fakeService(taken, free);
  const all = [
    planned('api.example.com', 'https://api.example.com', 'api_key'),
    planned('api.example.com', 'http://api.example.com', 'api_key'),
    planned('Staging', 'https://staging.example', 'api_secret', 'plain'),
  ];
  const before = await describeCredentials(all, service);
  expect(save).not.toHaveBeenCalled();
  const after = await sealCredentials(all, service);
  expect(before.environments).toEqual(['api.example.com 2', 'api.example.com 3', 'Staging']);
  expect(after.environments).toEqual(before.environments);
  expect(before.notes[0]?.what).toContain("in your environment 'api.example.com 2'");
  expect(after.notes[0]?.what).toContain("in your environment 'api.example.com 2'");
  expect(before.notes.at(-1)?.what).toContain('{{plain}} is a credential, and is dropped');
  expect(after.notes.at(-1)?.what).toContain('{{plain}} is a credential, and was dropped');
});

it('keeps what nothing tells the address of apart, without one, for nothing that the app asks, and once', async () => {
  const bound = { name: 'Own', baseUrl: 'https://own.example', variables: { other: 'x' } };
  const { service, kept, vault } = fakeService(bound);
  const readSecret = vi.fn(() => Promise.resolve('v-12345'));
  Object.assign(service.environments, { readSecret });
  const why =
    "Of your own environments, 'Own 2' has no address yet, and none of its secrets is sent anywhere: enter the address in Environments.";
  const one = planned('Own', '', 'api_key');
  const before = await describeCredentials([one], service);
  expect([before.environments, before.notes[1]]).toEqual([['Own 2'], { where: 'Own', what: why }]);
  for (let count = 0; count < 2; count++) {
    const { environments, notes } = await sealCredentials([one], service);
    expect([environments, notes[1]]).toEqual([['Own 2'], { where: 'Own', what: why }]);
  }
  // A stranger's of that name goes along with nothing.
  for (const other of [
    planned('Own 2', '', 'evil_api_key'),
    planned('Own 2', 'https://evil.example', 'api_key'),
  ])
    await sealCredentials([other], service);
  await sealCredentials([postman('App', '', 'one')], service);
  expect(kept.map(({ name, baseUrl, variables }) => [name, baseUrl, Object.keys(variables).join()])).toEqual([
    ['Own', bound.baseUrl, 'other'],
    ['Own 2', '', 'api_key'],
    ['Own 2 2', '', 'evil_api_key'],
    ['Own 2 3', 'https://evil.example', 'api_key'],
    ['App', '', 'consumerKey,consumerSecret,privateKey'],
  ]);
  expect([vault['keys.import'].mock.calls, vault['credentials.save'].mock.calls]).toEqual([[], []]);
  const changed = { ...one, secrets: [{ name: 'api_key', value: 'w-67890' }] };
  expect((await sealCredentials([{ ...changed, environment: 'Own 2' }], service)).notes.slice(1)).toEqual([
    { where: 'Own 2', what: expect.stringContaining("'Own 2' has values of its own") as string },
    { where: 'Own 2', what: why.replace('Own 2', 'Own 2 4') },
  ]);
  // It got its address by then.
  kept[1]!.baseUrl = 'https://mine.example';
  const again = await sealCredentials([{ ...one, variables: { pay_url: 'https://evil.example' } }], service);
  expect([again.environments, again.notes.length, kept[1]!.variables]).toEqual([
    ['Own 2'],
    1,
    { api_key: 'v-12345' },
  ]);
});

it('counts no environment where nothing is kept', async () => {
  const one = [planned('Shop', 'https://shop.example', 'api_key')];
  expect(await describeCredentials(one, null)).toMatchObject({ environments: [] });
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
  expect((await describeCredentials(all, null)).notes.map(({ where }) => where)).toEqual([
    '{{api_token}}',
    '{{pin}}',
  ]);
});
