import { expect, it } from 'vitest';
import { appMethods, type ShownSettings } from './app';
import { dataMethods } from './data';
import { settingDefaults } from './setting-limits';
import { checkMethods, long, named } from './testing/check-methods';
import { environments, listeners, sandboxes, vaults } from './testing/sound-answers';
import { updateMethods } from './updates';

const statuses = environments.map((environment, index) => ({
  host: 'web' as const,
  version: '0.1.0',
  platform: 'linux',
  dataDirectory: '/home/ann/data',
  environment,
  sandbox: sandboxes[index % 2]!,
  listener: listeners[index]!,
  vault: vaults[index % 2]!,
  unreadCount: 3,
}));

const settings: ShownSettings = {
  ...settingDefaults,
  layout: named({ tree: 240, tabs: ['a'], nothing: null, constructor: {} }),
  keys: named({ send: 'mod+s', lock: '' }),
  notice: 'The file of settings was damaged and put aside.',
};
const { notice: _notice, ...withoutNotice } = settings;
const allSettings = [settings, { ...settings, notice: null }, withoutNotice];
const manyKeys = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`action ${index}`, 'mod+x']));
/** Ends of what each whole number may be, as the page of settings says. */
const bounds: Readonly<Record<string, readonly [number, number]>> = {
  autoLockMinutes: [0, 1440],
  requestTimeoutMs: [100, 600_000],
  keepCount: [0, 9_999_999],
  keepDays: [0, 36_500],
  keepMib: [0, 1_000_000],
  historyMost: [0, 10_000_000],
  historyDays: [0, 36_500],
};

const outOfBounds = Object.fromEntries(
  Object.entries(bounds).map(([name, [least, most]]) => [
    name,
    [least - 1, most + 1, least + 0.5, Number.NaN],
  ]),
);

checkMethods(appMethods, {
  'app.status': {
    calls: [{}],
    bounded: ['environment.setup'],
    answers: statuses,
    gives: { host: ['electron', 'web', 'cli'] },
    withholds: { host: ['phone'] },
  },
  'app.openExternal': {
    calls: [{ url: 'http://127.0.0.1:4010/' }],
    takes: { url: ['', long(8192)] },
    refuses: { url: [long(8193)] },
    answers: [{}],
    hosts: ['electron'],
  },
  'app.takeLink': {
    calls: [{}],
    bounded: ['link'],
    answers: [
      { link: { kind: 'view', view: 'inbox', rest: '12' } },
      { link: { kind: 'request', collection: 'Payouts', path: 'One.http' } },
      { link: { kind: 'import', path: '/home/ann/one.har' } },
      { link: { kind: 'file', path: '/home/ann/one.http' } },
      { link: { kind: 'refused', reason: 'It is too long.' } },
      { link: null },
    ],
    gives: { 'link.view': ['requests', 'help', 'settings'], 'link.rest': [long(4096)] },
    withholds: { 'link.view': ['admin', 'constructor'], 'link.rest': [long(4097)], 'link.kind': ['send'] },
    hosts: ['electron'],
  },
  'app.showActions': {
    calls: [{ ids: ['send'] }],
    takes: { ids: [[], Array.from({ length: 500 }, () => long(60))] },
    refuses: { ids: [[long(61)], Array.from({ length: 501 }, () => 'send')] },
    answers: [{}],
    hosts: ['electron'],
  },
  'app.comeToFront': { calls: [{}], answers: [{}], hosts: ['electron'] },
  'settings.get': { calls: [{}], answers: allSettings, bounded: ['seenVersion', 'update'] },
  'settings.update': {
    calls: [
      {},
      {
        theme: 'dark',
        layout: named({ tree: 240 }),
        autoLockMinutes: 5,
        requestTimeoutMs: 20_000,
        keepCount: 1,
        keepDays: 2,
        keepMib: 3,
        notifications: true,
        historyMost: 4,
        historyDays: 5,
        keys: named({ send: 'mod+s' }),
        railNames: false,
        seenVersion: '0.1.0',
      },
    ],
    takes: {
      ...bounds,
      theme: ['system', 'light', 'dark'],
      layout: [JSON.parse('{"__proto__":1,"constructor":[null]}')],
      keys: [{}, manyKeys(500), { [long(60)]: long(60) }],
      seenVersion: ['', long(60)],
    },
    refuses: {
      ...outOfBounds,
      theme: ['pink', ''],
      layout: [[], 'wide'],
      keys: [manyKeys(501), { [long(61)]: 'mod+x' }, { send: long(61) }, { send: 1 }, ['mod+x']],
      seenVersion: [long(61)],
    },
    bounded: ['seenVersion', 'update'],
    answers: allSettings,
    says: ['settings.too_large'],
  },
  'settings.export': {
    calls: [{}],
    answers: [{ text: '{}', leftOut: ['updateKey'] }],
    says: ['settings.bad_file', 'environments.unknown'],
  },
  'settings.import': {
    calls: [{ text: '{}' }],
    takes: { text: ['', long(4 * 1024 * 1024)] },
    refuses: { text: [long(4 * 1024 * 1024 + 1), {}] },
    answers: [{ settings: ['theme'], environments: ['staging'], leftOut: ['updateKey'] }],
    says: ['settings.bad_file', 'environments.bad_url'],
  },
});

it('leaves whose releases are trusted as it is, whatever the settings that are written say', () => {
  const given = { theme: 'dark', updateAddress: 'https://evil.example.test', updateKey: 'theirs' };
  expect(appMethods['settings.update'].input.parse(given)).toEqual({ theme: 'dark' });
});

const paths = [long(1), long(4096)];
const noPaths = ['', long(4097)];
const overview = {
  directory: '/home/ann/data',
  pending: { kind: 'restore' as const, from: '/home/ann/backup.tar.gz', to: '/home/ann/data' },
  aside: ['before-restore-1'],
  secretsNote: 'They open with your passphrase.',
};
const overviews = [
  overview,
  { ...overview, pending: { kind: 'reset' as const, from: null, to: null } },
  { ...overview, pending: null },
];
const backup = {
  file: '/home/ann/backup.tar.gz',
  sizeBytes: 1000,
  fileCount: 12,
  madeAt: '2026-01-01T00:00:00Z',
  madeOn: 'linux',
  appVersion: '0.1.0',
  secretsNote: 'They open with your passphrase.',
  leftOut: ['updateKey'],
};
const { leftOut: _leftOut, ...facts } = backup;

checkMethods(dataMethods, {
  'data.overview': {
    calls: [{}],
    answers: overviews,
    gives: { 'pending.kind': ['restore', 'reset', 'move'] },
    withholds: { 'pending.kind': ['erase'] },
    says: ['data.in_use'],
  },
  'data.backup': {
    calls: [{ file: '/home/ann/backup.tar.gz' }],
    takes: { file: paths },
    refuses: { file: noPaths },
    answers: [backup],
    earlier: [[facts, { ...facts, leftOut: [] }]],
    says: ['data.file_exists'],
  },
  'data.restore': {
    calls: [{ file: '/home/ann/backup.tar.gz' }],
    takes: { file: paths },
    refuses: { file: noPaths },
    answers: [backup],
    earlier: [[facts, { ...facts, leftOut: [] }]],
    says: ['data.bad_backup', 'vault.wrong_passphrase'],
  },
  'data.move': {
    calls: [{ to: '/home/ann/other' }],
    takes: { to: paths },
    refuses: { to: noPaths },
    answers: overviews,
    says: ['data.bad_target'],
  },
  'data.reset': {
    calls: [{ word: 'reset' }],
    takes: { word: ['', long(100)] },
    refuses: { word: [long(101)] },
    answers: overviews,
    says: ['data.not_confirmed'],
  },
  'data.keep': { calls: [{}], answers: overviews, says: ['data.in_use'] },
});

const source = { address: 'https://updates.example.test/latest.json', publicKeyPem: 'PEM' };

checkMethods(updateMethods, {
  'updates.setSource': {
    calls: [source],
    takes: { address: ['', long(2048)], publicKeyPem: ['', long(1000)] },
    refuses: { address: [long(2049)], publicKeyPem: [long(1001)] },
    bounded: [''],
    answers: [source],
    says: ['updates.bad_address'],
  },
  'updates.check': {
    calls: [{}],
    answers: [
      {
        current: '0.1.0',
        latest: '0.2.0',
        isNewer: true,
        released: '2026-01-01',
        notes: 'Quicker.',
        files: [{ name: 'countersign.deb', sizeBytes: 1000, isForThisSystem: true }],
      },
    ],
    says: ['updates.bad_signature'],
  },
  'updates.download': {
    calls: [{ name: 'countersign.deb' }],
    takes: { name: [long(120)] },
    refuses: { name: [long(121)] },
    answers: [{ file: '/home/ann/data/updates/countersign.deb', sha512: 'ab' }],
    says: ['updates.unknown_file'],
  },
});
