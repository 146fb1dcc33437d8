import { expect, it, vi } from 'vitest';
import { findAction } from '@shared/actions/action-list';
import { settingDefaults } from '@shared/contract/setting-limits';
import { exportSettings, importSettings, type TransferDeps } from './transfer-settings';

const update = vi.fn();
/** The environments that are here. */
const offer = (listed: object, add: unknown = () => Promise.resolve([])) =>
  Promise.resolve({ handlers: { 'environments.list': () => listed }, add } as never);
const deps: TransferDeps = {
  read: () => ({
    ...settingDefaults,
    keepDays: 30,
    updateAddress: 'https://updates.example.test/latest.json',
    updateKey: 'a key',
  }),
  update,
  environments: () => offer({ environments: [], activeId: null }),
  holdsRecords: () => Promise.resolve(false),
};
const source = 'where updates come from: set it yourself';

it('takes from no file whose releases are to be trusted, and says so', async () => {
  const settings = {
    keepDays: 7,
    updateAddress: 'https://stranger.example.test/latest.json',
    updateKey: 'theirs',
  };
  const text = JSON.stringify({ format: 'countersign-settings', version: 1, settings, environments: [] });
  expect(await importSettings(text, deps)).toEqual({
    settings: ['keepDays'],
    environments: [],
    leftOut: [source],
  });
  expect(update).toHaveBeenCalledExactlyOnceWith({ keepDays: 7 });
});

it('writes into no file whose releases are trusted here', async () => {
  const { text, leftOut } = await exportSettings(deps);
  expect(text).toContain('"keepDays": 30');
  expect(text).not.toMatch(/update(Address|Key)|example\.test/);
  expect(leftOut).toEqual([source]);
});

it.each([
  ['by the name of the variable', 'api_key', 'value-of-it-4711'],
  ['by a name within its value', 'hook', 'https://h.example/?page=2&api_key=value-of-it-4711'],
  ['by its look', 'auth_header', 'Bearer value-of-it-4711'],
  ['as the user of an address', 'mirror', 'https://amina:value-of-it-4711@h.example/'],
])('writes no credential into a file: %s', async (_how, name, value) => {
  const own = { name: 'uat', kind: 'sandbox', baseUrl: 'https://h.example', source: 'data' };
  const listed = { environments: [{ ...own, variables: { [name]: value, user: 'amina' } }], activeId: null };
  const environments = () => offer(listed);
  const { text, leftOut } = await exportSettings({ ...deps, environments });
  expect(text).not.toContain('value-of-it-4711');
  expect(text).toContain('"user": "amina"');
  expect(leftOut).toEqual([source, `uat: ${name}`]);
});

const write = (settings: object, environments: object[] = []): string =>
  JSON.stringify({ format: 'countersign-settings', version: 1, settings, environments });

it('takes from no file a limit that would delete webhooks or history, and says so', async () => {
  const deleting = { keepCount: 1, keepDays: 29, keepMib: 0, historyMost: 500_000, historyDays: 3 };
  update.mockClear();
  const { settings, leftOut } = await importSettings(write({ ...deleting, theme: 'dark' }), {
    ...deps,
    holdsRecords: () => Promise.resolve(true),
  });
  expect(settings).toEqual(['theme', 'keepMib', 'historyMost']);
  expect(update).toHaveBeenCalledExactlyOnceWith({ keepMib: 0, historyMost: 500_000, theme: 'dark' });
  expect(leftOut).toEqual([
    'how many webhooks are kept: less would be kept than now, set it yourself',
    'how long webhooks are kept: less would be kept than now, set it yourself',
    'how long the history is kept: less would be kept than now, set it yourself',
  ]);
  expect((await importSettings(write(deleting), deps)).leftOut).toEqual([]);
});

it('takes from no file keys that paste or save for others, nor those of no action', async () => {
  update.mockClear();
  const keys = {
    send: 'mod+v',
    palette: 'mod+s',
    'history-pin': 'mod+alt+p',
    save: '',
    nothing: 'mod+j',
    'send-cancel': 'x',
  };
  const { leftOut } = await importSettings(write({ keys }), deps);
  expect(update).toHaveBeenCalledExactlyOnceWith({
    keys: { palette: 'mod+s', 'history-pin': 'mod+alt+p', save: '' },
  });
  expect(leftOut.map((one) => one.slice(0, 5))).toEqual(['keys:', 'keys:', 'keys:']);
  expect(leftOut[1]).toBe('keys: nothing');
});

it('takes no keys that are free only by others that are left out', async () => {
  update.mockClear();
  // Saving would keep its own keys, as those of the palette are not free.
  const [save, palette] = ['save', 'palette'].map((id) => findAction(id)?.keys?.[0]);
  const { leftOut } = await importSettings(write({ keys: { send: save, save: palette } }), deps);
  expect(update).toHaveBeenCalledExactlyOnceWith({});
  expect(leftOut).toHaveLength(2);
});

it('takes from no file where a service is to send its webhooks', async () => {
  const add = vi.fn(() => Promise.resolve([null]));
  const environments = () => offer({ environments: [] }, add);
  const variables = { callback_url: 'https://stranger.example.test/hook', region: 'KE' };
  const given = [{ name: 'uat', kind: 'sandbox', base_url: 'https://uat.example.test', variables }];
  expect(await importSettings(write({}, given), { ...deps, environments })).toMatchObject({
    environments: ['uat'],
    leftOut: ['uat: callback_url'],
  });
  expect(add).toHaveBeenCalledExactlyOnceWith([expect.objectContaining({ variables: { region: 'KE' } })]);
});

it('makes production of what goes where production goes here, however its host is written, and says so', async () => {
  const live = {
    name: 'Live',
    kind: 'production',
    baseUrl: 'https://pay.example',
    source: 'data',
    variables: {},
  };
  const add = vi.fn((given: unknown[]) => Promise.resolve(given.map(() => null)));
  const environments = () => offer({ environments: [live], activeId: null }, add);
  const given = (name: string, base_url: string) => ({ name, kind: 'sandbox', base_url, variables: {} });
  const text = write({}, [given('Team', 'https://PAY.example.:443/v1'), given('UAT', 'https://uat.example')]);
  const { leftOut } = await importSettings(text, { ...deps, environments });
  expect(add).toHaveBeenCalledExactlyOnceWith([
    expect.objectContaining({ name: 'Team', kind: 'production' }),
    expect.objectContaining({ name: 'UAT', kind: 'sandbox' }),
  ]);
  expect(leftOut).toEqual(['Team: that it is a test environment']);
});

it('makes production of what goes where production of the same file goes', async () => {
  const add = vi.fn((given: unknown[]) => Promise.resolve(given.map(() => null)));
  const environments = () => offer({ environments: [], activeId: null }, add);
  const given = (name: string, kind: string) => ({
    name,
    kind,
    base_url: 'https://pay.example',
    variables: {},
  });
  const text = write({}, [given('Team', 'sandbox'), given('Live', 'production')]);
  const { leftOut } = await importSettings(text, { ...deps, environments });
  expect(add).toHaveBeenCalledExactlyOnceWith([
    expect.objectContaining({ name: 'Team', kind: 'production' }),
    expect.objectContaining({ name: 'Live', kind: 'production' }),
  ]);
  expect(leftOut).toEqual(['Team: that it is a test environment']);
});

it('names the line of a file that is no JSON, and what a merge left in it', async () => {
  const text = JSON.stringify(JSON.parse(write({ keepDays: 7 })), null, 2);
  const merged = text.replace(
    /^.*keepDays.*$/m,
    (line) => `<<<<<<< HEAD\n${line}\n=======\n${line}0\n>>>>>>> other`,
  );
  const say = (bad: string): Promise<string> =>
    importSettings(bad, deps).then(
      () => 'taken',
      (error: Error) => error.message,
    );
  expect(await say(merged)).toBe(
    'This is no file of settings: line 5 is no JSON (two versions, as a merge leaves them: keep one).',
  );
  expect(await say(text.replace('"keepDays": 7', '"keepDays" 7'))).toBe(
    'This is no file of settings: line 5 is no JSON (a colon is missing).',
  );
  expect(await say(text.replace('{', '{ // mine'))).toContain('line 1 is no JSON (a comment');
  expect(await say('')).toBe('This is no file of settings: line 1 is no JSON (a value is missing).');
  expect(await say('['.repeat(5000))).toBe('This is no file of settings: it is not JSON.');
});

it('takes a file that begins with a byte order mark', async () => {
  update.mockClear();
  expect(await importSettings(`\ufeff${write({ keepDays: 7 })}`, deps)).toMatchObject({
    settings: ['keepDays'],
  });
});

it('leaves the keys that are set here where none of the file is taken', async () => {
  update.mockClear();
  const { settings, leftOut } = await importSettings(write({ keys: { nothing: 'mod+alt+1' } }), deps);
  expect([settings, leftOut]).toEqual([[], ['keys: nothing']]);
  expect(update).toHaveBeenCalledExactlyOnceWith({});
});

it.each([0, -1.5])('takes no file of a version that there never was: %s', async (version) => {
  const text = JSON.stringify({ format: 'countersign-settings', version, settings: {}, environments: [] });
  await expect(importSettings(text, deps)).rejects.toThrow('see version');
});

it.each([
  ['of the same shape', { settings: {}, environments: [] }],
  ['of another shape', { settings: [], environments: { list: [] } }],
])('names a newer version by itself, in a file %s', async (_shape, parts) => {
  const text = JSON.stringify({ format: 'countersign-settings', version: 2, ...parts });
  await expect(importSettings(text, deps)).rejects.toThrow(/written by a newer Countersign/);
});
