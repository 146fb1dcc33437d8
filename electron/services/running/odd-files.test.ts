import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeTemporaryFolder } from '../../../test/support/temporary';
import { openDataTable } from './data-rows';
import { loadRequests } from './load-requests';

const folder = makeTemporaryFolder('odd-files');
const at = (name: string): string => join(folder, name);
mkdirSync(at('folder'));
execFileSync('mkfifo', [at('pipe')]);
execFileSync('mkfifo', [at('pipe.http')]);
writeFileSync(at('good.http'), 'GET http://127.0.0.1:9/\n');
symlinkSync(at('good.http'), at('folder/link.http'));
symlinkSync('/dev/zero', at('zero.http'));

describe('a folder to run', () => {
  const load = (path: string) => loadRequests([at(path)], { base: folder, identify: () => null });
  const request = (path: string): void => {
    mkdirSync(at(path), { recursive: true });
    writeFileSync(at(`${path}/one.http`), 'GET http://127.0.0.1:9/\n');
  };

  it('that lies too deep to be read ends the run before its first request', async () => {
    const deep = `deep/${Array.from({ length: 33 }, (_, level) => level).join('/')}`;
    request(deep);
    writeFileSync(at('deep/collection.json'), '{}');
    for (const path of ['deep', 'deep/0', deep]) {
      await expect(load(path)).rejects.toMatchObject({
        code: 'running.bad_file',
        message: expect.stringMatching(
          /31\/32: This folder lies more than 32 folders deep.* Nothing was sent\.$/,
        ),
      });
    }
  });

  it.skipIf(process.platform === 'win32')(
    'with a link to requests that lie elsewhere ends the run, and one to its own does not',
    async () => {
      for (const path of ['team', 'linking/own', 'linking/smoke', 'linking/other']) request(path);
      writeFileSync(at('linking/collection.json'), '{}');
      symlinkSync('../own', at('linking/smoke/own'));
      expect((await load('linking')).requests).toHaveLength(3);
      const refused = (where: string) => ({
        code: 'running.bad_file',
        message: expect.stringMatching(`^${where}: This link leads to a folder: .* Nothing was sent\\.$`),
      });
      await expect(load('linking/smoke')).rejects.toMatchObject(refused('linking/smoke/own'));
      symlinkSync('../../team', at('linking/other/team'));
      await expect(load('linking')).rejects.toMatchObject(refused('linking/other/team'));
      expect((await load('linking/own')).requests).toHaveLength(1);
    },
  );

  it.skipIf(process.platform === 'win32')('that is a link is the folder that it leads to', async () => {
    request('linked/Payouts');
    request('elsewhere');
    writeFileSync(at('linked/collection.json'), '{}');
    symlinkSync('Payouts', at('linked/again'));
    symlinkSync('../elsewhere', at('linked/out'));
    expect((await load('linked/again')).requests.map(({ file }) => file)).toEqual([
      'linked/Payouts/one.http',
    ]);
    expect((await load('linked/out')).requests.map(({ file }) => file)).toEqual(['linked/out/one.http']);
  });

  it('with a request that iCloud took from the disk ends the run, until it is there again', async () => {
    request('cloud');
    writeFileSync(at('cloud/.pay.http.icloud'), 'bplist00');
    await expect(load('cloud')).rejects.toMatchObject({
      code: 'running.bad_file',
      message: expect.stringMatching(
        /pay\.http is not read: it is in iCloud and not on this disk; download it\. Nothing/,
      ),
    });
    writeFileSync(at('cloud/pay.http'), 'GET http://127.0.0.1:9/');
    expect((await load('cloud')).requests).toHaveLength(2);
    request('cloud/in');
    writeFileSync(at('cloud/.collection.json.icloud'), 'bplist00');
    await expect(load('cloud/in')).rejects.toThrow(
      /collection\.json cannot be read, since it is in iCloud and not on this disk; download it/,
    );
  });

  it.skipIf(process.platform === 'win32')('says of links that lead nowhere that they do', async () => {
    mkdirSync(at('nowhere'));
    for (const target of ['gone.http', 'link.http']) {
      symlinkSync(target, at('nowhere/link.http'));
      await expect(load('nowhere')).rejects.toThrow('it is a link that leads nowhere');
      rmSync(at('nowhere/link.http'));
    }
  });
});

it.each([
  ['folder', /is no file but a folder, a pipe or a device/],
  ['pipe', /save them to a file/],
  ['nothing', /there is no such file/],
])('says of rows in %s what it is', async (name, message) => {
  await expect(openDataTable(at(name))).rejects.toMatchObject({
    code: 'running.bad_data',
    message: expect.stringMatching(message),
  });
});

const writeRows = (bytes: string | Uint8Array, name = 'rows.csv'): string => {
  writeFileSync(at(name), bytes);
  return at(name);
};
const utf16be = (text: string): Buffer => Buffer.from(`\ufeff${text}`, 'utf16le').swap16();

it.each([
  ['UTF-8', Buffer.from('\ufeffname;amount\nJörg;1\n')],
  ['UTF-16, little end first', Buffer.from('\ufeffname;amount\nJörg;1\n', 'utf16le')],
  ['UTF-16, big end first', utf16be('name;amount\nJörg;1\n')],
])('reads rows in %s', async (_name, bytes) => {
  const table = await openDataTable(writeRows(bytes));
  const read: unknown[] = [];
  for await (const { values } of table.rows()) read.push(values);
  expect(read).toEqual([{ name: 'Jörg', amount: '1' }]);
});

it.each([
  ['sep=;\r\nname;amount\r\nJörg;1,50\r\n', { name: 'Jörg', amount: '1,50' }],
  ['\ufeffSEP=,\nname,a;b;c\nJörg,2\n', { name: 'Jörg', 'a;b;c': '2' }],
  ['sep=;', null],
  ['sep=x,amount\n1,2\n', { 'sep=x': '1', amount: '2' }],
])('takes the sign between values from a first line of Excel: %j', async (text, values) => {
  if (values === null) {
    await expect(openDataTable(writeRows(text))).rejects.toMatchObject({
      message: expect.stringMatching(/no row/),
    });
    return;
  }
  const read: unknown[] = [];
  for await (const row of (await openDataTable(writeRows(text))).rows()) read.push(row.values);
  expect(read).toEqual([values]);
});

const long = `name,amount\n${'Jörg,1\n'.repeat(20_000)}`;
it.each<[string, string | Uint8Array, RegExp]>([
  [
    'another encoding',
    Buffer.from('name,amount\nJoe,1\nJörg,2\n', 'latin1'),
    /line 3: its bytes are no UTF-8/,
  ],
  ['another encoding far below', Buffer.from(`${long}J\xf6rg,1\n`, 'latin1'), /line 2: its bytes/],
  [
    'one bad byte far below',
    Buffer.concat([Buffer.from(long), Buffer.from('J\xf6rg,1\n', 'latin1')]),
    /line 20002: its bytes/,
  ],
  ['a character cut off at the end', Buffer.from('name\nJ\xc3', 'latin1'), /middle of a character/],
  ['a NUL', 'name,amount\nJoe\0,1\n', /NUL character/],
  ['UTF-16 without its mark', Buffer.from('name\nJoe\n', 'utf16le'), /NUL character/],
  ['a row without end', `a,b\n1,2\n3,${'x'.repeat(1_100_000)}\n`, /line 3: a row has at most 1 MiB\. Look/],
  ['a quote within a value', 'a,b\n1,2\n3,4"5\n', /line 3: a double quote stands within a value\. Put/],
  ['a value behind a quote', 'sep=,\r\na,b\n1,2\n3,"4"5\n', /line 4: a double quote stands within a value/],
  ['a quote that never ends', 'a,b\n1,2\n3,"4\n5,6\n7,8\n', /line 3, or one after it: a quote is opened/],
  ['columns without end', `a${',b'.repeat(20_000)}\n`, /20001 columns/],
])('refuses rows with %s, and says where', async (_name, bytes, message) => {
  await expect(openDataTable(writeRows(bytes))).rejects.toMatchObject({
    code: 'running.bad_data',
    message: expect.stringMatching(message),
  });
});

it.runIf(process.platform === 'linux')(
  'says of rows and requests that the system fails to read that it does',
  async () => {
    const file = '/proc/self/mem';
    await expect(openDataTable(file)).rejects.toMatchObject({
      code: 'running.bad_data',
      message: `--data ${file}: the system says EIO.`,
    });
    await expect(loadRequests([file], { base: '/', identify: () => null })).rejects.toMatchObject({
      message: expect.stringContaining('the system failed to read it'),
    });
  },
);

it.runIf(process.platform === 'linux')('reads rows no further than to a NUL', async () => {
  const file = writeRows('name\0\n');
  // On the disk it takes nothing; read whole, it took a minute.
  truncateSync(file, 2 ** 35);
  await expect(openDataTable(file)).rejects.toThrow(/NUL character/);
});

it('refuses JSON rows of which one lacks what the first has, before anything is sent', async () => {
  const file = writeRows('[{"a":1,"b":2},{"a":1,"b":null},{"a":1}]', 'rows.json');
  await expect(openDataTable(file)).rejects.toMatchObject({
    message: expect.stringMatching(/row 3 has no 'b'/),
  });
});

it.each([
  ['pipe.http', /no file but a pipe or a device/],
  ['zero.http', /link that leads out of its folder; name the file itself/],
  ['folder/link.http', /link that leads out of its folder; name the file itself/],
])('says of requests in %s what it is, at once', async (name, message) => {
  await expect(loadRequests([at(name)], { base: folder, identify: () => null })).rejects.toMatchObject({
    code: 'running.bad_file',
    message: expect.stringMatching(message),
  });
});

it.each([
  ['millions of values', `[{"a":[${'1,'.repeat(2_000_000)}1]}]`, /at most 2000000 values. Use CSV/],
  ['rows without a value', '[{},{}]', /first row is empty/],
  ['no list', '{}', /one list of objects/],
  ['no JSON', '[{"a":1}', /it is not JSON: .*line 1/],
])('says of JSON rows with %s what is wrong', async (_what, text, message) => {
  await expect(openDataTable(writeRows(text, 'rows.json'))).rejects.toMatchObject({
    code: 'running.bad_data',
    message: expect.stringMatching(message),
  });
});

it.each([
  ['a mark', Buffer.from('\ufeffGET http://h\n', 'utf16le')],
  ['no mark, little end first', Buffer.from('GET http://h\n', 'utf16le')],
  ['no mark, big end first', Buffer.from('GET http://h\n', 'utf16le').swap16()],
])('says of requests in UTF-16 with %s that they are not UTF-8', async (_what, bytes) => {
  writeFileSync(at('wide.http'), bytes);
  await expect(loadRequests([at('wide.http')], { base: folder, identify: () => null })).rejects.toMatchObject(
    { message: 'wide.http is not UTF-8. Save it as UTF-8 and try again.' },
  );
});

describe('the order of a collection', () => {
  const collection = at('ordered');
  mkdirSync(join(collection, 'sub'), { recursive: true });
  for (const name of ['a.http', 'b.http', 'sub/c.http'])
    writeFileSync(join(collection, name), 'GET http://127.0.0.1:9/\n');
  const list = async (order: string, folder = '') => {
    writeFileSync(join(collection, 'collection.json'), order);
    const { requests } = await loadRequests([join(collection, folder)], {
      base: collection,
      identify: () => null,
    });
    return requests.map(({ file }) => file);
  };

  it.each([
    ['{"order": ["b.http"]}', ['sub/c.http', 'b.http', 'a.http']],
    ['\ufeff{"order": ["b.http"], /* mine */ "x": 1,}', ['sub/c.http', 'b.http', 'a.http']],
    ['{"name": "of another tool"}', ['sub/c.http', 'a.http', 'b.http']],
    ['[]', ['sub/c.http', 'a.http', 'b.http']],
    ['{"order": []}', ['sub/c.http', 'a.http', 'b.http']],
  ])('is that of collection.json: %s', async (order, files) => {
    expect(await list(order)).toEqual(files);
  });

  it('is none where what is called so is no file', async () => {
    const order = join(collection, 'collection.json');
    rmSync(order, { force: true });
    const load = () => loadRequests([collection], { base: collection, identify: () => null });
    for (const make of [() => mkdirSync(order), () => symlinkSync('collection.json', order)]) {
      make();
      expect((await load()).requests).toHaveLength(3);
      rmSync(order, { recursive: true });
    }
  });

  it.each([
    ['{"order": ["b.http", "a.http"', /collection\.json cannot be read, since line 1 is no JSON/],
    [
      '{\n<<<<<<< HEAD\n"order": []\n=======\n"order": ["a"]\n>>>>>>> ann\n}',
      /since line 2 is no JSON \(two versions, as a merge leaves them: keep one\).*Nothing was sent/,
    ],
    ['{\n<<<<<<< HEAD\n"order": []}', /since line 2 is no JSON \(a line that a merge left: remove it\)/],
    ['{"order": "b.http"}', /since "order" in it is no list of texts/],
    ['{"order": [1]}', /since "order" in it is no list of texts/],
    ['', /since line 1 is no JSON/],
    ['['.repeat(100_000), /since it is nested too deep/],
    [' '.repeat(5_000_000), /since it is larger than 4 MiB/],
  ])('is not guessed where it cannot be read', async (order, message) => {
    for (const folder of ['', 'sub'])
      await expect(list(order, folder)).rejects.toMatchObject({
        code: 'running.bad_file',
        message: expect.stringMatching(message),
      });
  });
});

describe('a file of rows in which a merge left two versions', () => {
  const conflict = '<<<<<<< HEAD\n4\n||||||| base\n2\n=======\n3\n>>>>>>> other\n';
  it.each([
    ['rows.csv', `amount\n1\n${conflict}5\n`, 3],
    ['crlf.csv', `amount\n1\n${conflict}`.replaceAll('\n', '\r\n'), 3],
    ['end.csv', `amount\n${conflict}`.trimEnd(), 2],
    ['rows.json', `[\n${conflict}]`, 2],
    ['long.csv', `amount\n${'1\n'.repeat(100_000)}${conflict}`, 100_002],
  ])('sends neither: %s', async (name, text, line) => {
    writeFileSync(at(name), text);
    await expect(openDataTable(at(name))).rejects.toMatchObject({
      code: 'running.bad_data',
      message: expect.stringContaining(
        `${name}: line ${line}: Two versions stand here as a merge leaves them`,
      ),
    });
  });

  it('is told from one that Git LFS did not fetch', async () => {
    writeFileSync(at('lfs.csv'), 'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9\n');
    await expect(openDataTable(at('lfs.csv'))).rejects.toThrow(
      /lfs\.csv: it is a pointer of Git LFS, and the file itself was not fetched: run git lfs pull\.$/,
    );
  });

  it('is told by all three marks, in their order', async () => {
    writeFileSync(at('rule.csv'), 'name\n=======\n<<<<<<< x\n>>>>>>>y\n');
    await expect(openDataTable(at('rule.csv'))).resolves.toMatchObject({ rowCount: 3 });
  });
});
