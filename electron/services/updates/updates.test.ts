import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  makeNotice,
  releaseFile,
  startReleaseServer,
  type ReleaseServer,
} from '../../../test/support/release-server';
import { makeTemporaryFolder } from '../../../test/support/temporary';
import { createHttpClient } from '../../platform/http/http-client';
import { createUpdatesService, type UpdatesService } from './create-updates-service';

let server: ReleaseServer;
let folder: string;
let source: { address: string; publicKeyPem: string };
let service: UpdatesService;

beforeEach(async () => {
  server = await startReleaseServer();
  folder = makeTemporaryFolder('updates');
  source = { address: server.address, publicKeyPem: server.publicKeyPem };
  service = createUpdatesService({
    http: createHttpClient(),
    dataDirectory: folder,
    version: '0.1.0',
    readSource: () => source,
    writeSource: (next) => void (source = next),
  });
});
afterEach(() => server.close());

const check = async () => service.handlers['updates.check']({});
const download = async (name: string) => service.handlers['updates.download']({ name });
const kept = (): string[] =>
  existsSync(join(folder, 'updates')) ? readdirSync(join(folder, 'updates')) : [];

it('asks nobody while no address is set', async () => {
  source = { address: '', publicKeyPem: '' };
  await expect(check()).rejects.toMatchObject({ code: 'updates.off' });
  expect(server.asked).toEqual([]);
});

it('tells a newer release, its notes and which file is for this system', async () => {
  expect(await check()).toEqual({
    current: '0.1.0',
    latest: '9.0.0',
    isNewer: true,
    released: '2027-01-01',
    notes: 'Faster, and says so.',
    files: [{ name: releaseFile.name, sizeBytes: releaseFile.content.length, isForThisSystem: true }],
  });
  expect(server.asked.toSorted()).toEqual(['latest.json', 'latest.json.sig']);
});

it('keeps a file that is what was signed', async () => {
  const { file } = await download(releaseFile.name);
  expect(readFileSync(file, 'utf8')).toBe(releaseFile.content);
  // Over one that an earlier download left.
  await download(releaseFile.name);
  expect(kept()).toEqual([releaseFile.name]);
});

it('offers nothing of a release that is older: an old notice, signed once, cannot bring old faults back', async () => {
  server.publish(makeNotice({ version: '0.0.9' }));
  expect((await check()).isNewer).toBe(false);
  await expect(download(releaseFile.name)).rejects.toMatchObject({ code: 'updates.unknown_file' });
});

it('keeps a source only where it could be asked, and forgets both parts of it at once', async () => {
  const set = async (address: string, publicKeyPem: string) =>
    service.handlers['updates.setSource']({ address, publicKeyPem });
  const before = source;
  await expect(set('http://updates.example.test/', before.publicKeyPem)).rejects.toMatchObject({
    code: 'updates.bad_address',
  });
  await expect(set(`${before.address}?token=1`, before.publicKeyPem)).rejects.toMatchObject({
    code: 'updates.bad_address',
  });
  await expect(set(before.address, 'a key')).rejects.toMatchObject({ code: 'updates.bad_key' });
  expect(source).toBe(before);
  await set('', before.publicKeyPem);
  expect(source).toEqual({ address: '', publicKeyPem: '' });
  expect(server.asked).toEqual([]);
});

it('says of a publisher who is away that nothing came, and nothing of payments', async () => {
  await server.close();
  await expect(check()).rejects.toMatchObject({
    code: 'updates.unreachable',
    message: expect.not.stringMatching(/payment/i) as unknown,
  });
});

it('says of a folder that cannot be written to that it cannot, and blames nobody else', async () => {
  writeFileSync(join(folder, 'updates'), 'no folder');
  await expect(download(releaseFile.name)).rejects.toMatchObject({ code: 'platform.unwritable' });
});

it('keeps the whole file where it is fetched twice at once, and nothing that was cut before', async () => {
  mkdirSync(join(folder, 'updates'));
  const left = join(folder, 'updates', `${releaseFile.name}.1.part`);
  writeFileSync(left, 'half');
  utimesSync(left, 0, 0);
  const both = await Promise.all(Array.from({ length: 4 }, () => download(releaseFile.name)));
  for (const { file } of both) expect(readFileSync(file, 'utf8')).toBe(releaseFile.content);
  expect(kept()).toEqual([releaseFile.name]);
});

it('says of a folder that has the name of the file that it stands there', async () => {
  mkdirSync(join(folder, 'updates', releaseFile.name), { recursive: true });
  await expect(download(releaseFile.name)).rejects.toMatchObject({ code: 'platform.unwritable' });
  expect(kept()).toEqual([releaseFile.name]);
});

describe('takes nothing', () => {
  it.each([
    [
      'of a notice that was changed',
      () => server.files.set('latest.json', JSON.stringify(makeNotice({ version: '9.0.1' }))),
    ],
    ['of a notice without a signature', () => server.files.set('latest.json.sig', '')],
    [
      'that another key signed',
      async () => {
        const other = await startReleaseServer();
        source = { ...source, publicKeyPem: other.publicKeyPem };
        await other.close();
      },
    ],
  ] as const)('%s', async (_what, spoil) => {
    await spoil();
    await expect(check()).rejects.toMatchObject({ code: 'updates.bad_signature' });
    await expect(download(releaseFile.name)).rejects.toMatchObject({ code: 'updates.bad_signature' });
    expect(kept()).toEqual([]);
  });

  it.each([
    ['of another length', `${releaseFile.content}!`, 'updates.bad_file'],
    ['cut short', releaseFile.content.slice(1), 'updates.bad_file'],
    ['with a byte changed', releaseFile.content.replace('a', 'b'), 'updates.bad_file'],
  ])('of a file %s', async (_what, content, code) => {
    server.files.set(releaseFile.name, content);
    await expect(download(releaseFile.name)).rejects.toMatchObject({ code });
    expect(kept()).toEqual([]);
  });

  it('of a signed notice that says something else, or leads elsewhere', async () => {
    const [file] = makeNotice().files;
    for (const notice of [
      {},
      [],
      null,
      makeNotice({ app: 'other' as 'countersign' }),
      makeNotice({ files: [{ ...file!, name: '../x' }] }),
    ]) {
      server.publish(notice);
      await expect(check()).rejects.toMatchObject({ code: 'updates.bad_notice' });
    }
  });

  it('of a notice without an end', async () => {
    server.files.set('latest.json', Buffer.alloc(1024 * 1024, 32));
    await expect(check()).rejects.toMatchObject({
      code: 'updates.unreachable',
      message: expect.stringContaining('longer') as unknown,
    });
  });

  it.each([
    'http://updates.example.test/latest.json',
    'file:///etc/passwd',
    'https://ann:secret@updates.example.test/',
    'soon',
  ])('from %s, which is not asked', async (address) => {
    source = { ...source, address };
    await expect(check()).rejects.toMatchObject({ code: 'updates.bad_address' });
  });

  it('by a key that is none, or of another kind', async () => {
    source = { ...source, publicKeyPem: 'key' };
    await expect(check()).rejects.toMatchObject({ code: 'updates.bad_key' });
    expect(server.asked).toEqual([]);
  });
});
