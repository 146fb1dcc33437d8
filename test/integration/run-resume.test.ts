import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { payoutBlock, startCountingService, type CountingService } from '../support/counting-service';
import { makeTemporaryFolder } from '../support/temporary';
import { runOnce } from './cli-once';

const env = { COUNTERSIGN_TOKEN: 'token-of-the-rows' };
const references = ['R-1', 'R-2', 'R-3'];
const pay = payoutBlock('pay', ['expect status 201'], '{{row.reference}}');
let service: CountingService;
let folder: string;
let resume: string;

beforeEach(async () => {
  service = await startCountingService();
  folder = makeTemporaryFolder('resume');
  resume = join(folder, 'out', 'resume.json');
  write('rows.csv', `reference\n${references.join('\n')}\n`);
  write('a.http', pay);
});
afterEach(() => service.close());

const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
const run = (...more: string[]) =>
  runOnce(['run', 'a.http', '--base-url', service.url, ...more], { cwd: folder, env });

/** Runs all rows, and leaves of its log what a kill would have left once the first row was sent, or was over. */
async function runAndCut(left: 'sent' | 'over', ...more: string[]): Promise<void> {
  await run('--data', 'rows.csv', '--out', 'out', ...more);
  const [head = '', ...lines] = readFileSync(resume, 'utf8').split('\n');
  const ofFirst = lines.filter((line) => line.includes('"key":"1/1/'));
  writeFileSync(resume, `${[head, ...ofFirst.slice(0, left === 'sent' ? 1 : undefined)].join('\n')}\n`);
}

describe('run --resume, where what is run is not what was', () => {
  it.each([
    ['a comment stands above it', () => write('a.http', `# A note.\n\n${pay}`), []],
    [
      'another request stands before it',
      () => write('a.http', `### other\nGET {{base_url}}/x\n\n${pay}`),
      [],
    ],
    ['its body is another', () => write('a.http', pay.replace('1500.00', '1501.00')), []],
    ['a variable of its file is another', () => write('a.http', `${pay}\n@late = 1\n`), []],
    ['others of its file are chosen', () => undefined, ['--grep', 'nobody else']],
  ])('pays nobody, and says so, where %s', async (_what, change, more) => {
    if (more.length > 0) write('a.http', `${pay}\n### nobody else\nGET {{base_url}}/x\n`);
    await runAndCut('over');
    change();
    const end = await run('--resume', resume, ...more);
    expect(end.stderr).toMatch(
      /^countersign: The requests are not those that the run of .* was begun with: .*nothing was sent/,
    );
    expect([end.exitCode, service.references]).toEqual([2, references]);
  });

  it('pays nobody where a file of its body has changed, as where its text has', async () => {
    const rest = ',"amount":1500.00,"currency":"KES","service_code":"X"},"originator":{"country":"KE"}}';
    const text = pay.replace(
      /\{"transaction".*/,
      '{"transaction":{"reference":"{{row.reference}}"\n< ./rest.json\n',
    );
    write('a.http', text);
    write('rest.json', rest);
    await runAndCut('over');
    write('rest.json', rest.replace('1500', '1501'));
    const end = await run('--resume', resume);
    expect(end.stderr).toContain('a file of them or of their bodies has changed');
    expect([end.exitCode, service.references]).toEqual([2, references]);
    write('rest.json', rest);
    service.references.length = 0;
    await run('--resume', resume);
    expect(service.references).toEqual(['R-2', 'R-3']);
  });

  it('pays nobody under another reference, where a variable of one in flight has changed', async () => {
    write('a.http', payoutBlock('pay', ['expect status 201'], '{{month}}-{{row.reference}}'));
    await runAndCut('sent', '--var', 'month=may');
    const before = [...service.references];
    service.references.length = 0;
    const end = await run('--resume', resume, '--var', 'month=june');
    expect(end.stdout).toContain('The run before sent this as may-R-1, and it would leave as june-R-1 now');
    expect(before).toContain('may-R-1');
    expect(service.references).not.toContain('june-R-1');
  });

  it.each([
    ['a file that its row names', '{"reference":"{{row.reference}}",\n< ./{{row.reference}}.json\n'],
    ['a variable of its body', '{"reference":"{{row.reference}}","amount":{{amount}},'],
  ])('pays nobody with another body, where %s has changed since it was in flight', async (_what, start) => {
    const end =
      '"currency":"KES","service_code":"X"},"originator":{"country":"KE"},"callback_url":"{{callback_url}}"}';
    write('a.http', pay.replace(/\{"transaction".*/, `{"transaction":${start}${end}`));
    for (const one of references) write(`${one}.json`, '"amount":1500.00,');
    await runAndCut('sent', '--var', 'amount=1500.00');
    await service.close();
    service = await startCountingService();
    write('R-1.json', '"amount":1501.00,');
    const other = await run('--resume', resume, '--var', 'amount=1501.00');
    expect(other.stdout).toContain('R-1 was in flight when the run before ended, with another body than it');
    expect([other.exitCode, service.references]).toEqual([1, ['R-2', 'R-3']]);
    write('R-1.json', '"amount":1500.00,');
    expect((await run('--resume', resume, '--var', 'amount=1500.00')).exitCode).toBe(0);
    expect(service.references).toEqual(['R-2', 'R-3', 'R-1']);
  });
});

describe('one in flight that is no payment', () => {
  const query = [
    'POST {{base_url}}/tsq/v1/query/payments',
    'Authorization: Bearer {{token.payout}}',
    '',
    '{"transaction_reference":"{{row.reference}}"}',
  ].join('\n');
  it.each([
    ['a status query', query],
    ['any other', 'GET {{base_url}}/other'],
    ['a test webhook', 'POST {{base_url}}/x\n\n{"client_reference":"{{row.reference}}"}'],
  ])('is sent again, and judged, and says so: %s', async (_what, text) => {
    write('rows.csv', 'reference\nR-1\n');
    write('a.http', `${pay}\n### next\n# @expect status 200\n# @depends-on pay\n${text}\n`);
    await run('--data', 'rows.csv', '--out', 'out');
    const lines = readFileSync(resume, 'utf8').split('\n');
    const left = lines.findIndex((line) => line.includes('"key":"1/1/1"'));
    writeFileSync(resume, `${lines.slice(0, left + 1).join('\n')}\n`);
    const { length } = service.requests;
    const end = await run('--resume', resume);
    expect(end.stdout).toMatch(/✓ .* next .*200.*; sent again: it was in flight when the run before ended/);
    expect(service.requests).toHaveLength(length + 1);
    expect([end.exitCode, service.references]).toEqual([0, ['R-1']]);
  });
});

it('says of one that is no payment and was sent again without an answer that it was sent again', async () => {
  write('rows.csv', 'reference\nR-1\n');
  write('a.http', 'GET {{base_url}}/slow?{{row.reference}}\n');
  await run('--data', 'rows.csv', '--out', 'out');
  writeFileSync(resume, readFileSync(resume, 'utf8').split('\n').slice(0, 2).join('\n') + '\n');
  const silent = createServer((request) => void request.socket.destroy());
  await new Promise<void>((done) => silent.listen(0, '127.0.0.1', done));
  const { port } = silent.address() as AddressInfo;
  const args = ['run', 'a.http', '--base-url', `http://127.0.0.1:${port}`, '--resume', resume];
  const end = await runOnce(args, { cwd: folder, env });
  silent.close();
  expect(end.stdout).toMatch(/\. It was sent again: it was in flight when the run before ended/);
  expect(end.exitCode).toBe(3);
});

it('says that another service may not know what was sent to the first, where it goes on there', async () => {
  await runAndCut('over');
  const other = await startCountingService();
  const args = ['run', 'a.http', '--base-url', other.url, '--resume', resume];
  const end = await runOnce(args, { cwd: folder, env });
  await other.close();
  expect(end.stderr).toContain(`went to ${service.url}, and this one goes to ${other.url}: what was sent`);
  expect([end.exitCode, other.references]).toEqual([0, references.slice(1)]);
});

it('notes of its service scheme, host and port alone: the rest of an address may hold a secret', async () => {
  const address = service.url.replace('http://', 'http://someone:pass-of-9876@');
  await run('--data', 'rows.csv', '--out', 'out', '--var', `base_url=${address}/?api_key=key-of-9876`);
  const kept = readFileSync(resume, 'utf8');
  expect(kept).toContain(`"service":"${service.url}"`);
  expect(kept).not.toContain('of-9876');
});

describe('run --resume, with options that say how much is sent', () => {
  const oftener = payoutBlock('pay', ['expect status 201'], '{{row.reference}}-{{$uuid}}');

  it('runs the rows as often as they were begun with, and says so of another number', async () => {
    write('a.http', oftener);
    await runAndCut('over', '--iterations', '2');
    const [sent] = service.references;
    service.references.length = 0;
    const other = await run('--resume', resume, '--iterations', '3');
    expect([other.exitCode, service.references]).toEqual([2, []]);
    expect(other.stderr).toContain('was begun with --iterations 2. Leave --iterations out');
    const end = await run('--resume', resume);
    const rows = service.references.map((one) => one.slice(0, 3));
    expect([end.exitCode, rows]).toEqual([0, ['R-2', 'R-3', ...references]]);
    expect(service.references).not.toContain(sent);
    expect(end.stdout).toContain('6 passed');
  });

  it('takes the number of the call where an earlier version noted none', async () => {
    write('a.http', oftener);
    await runAndCut('over', '--iterations', '2');
    writeFileSync(resume, readFileSync(resume, 'utf8').replace(',"iterations":2', ''));
    service.references.length = 0;
    await run('--resume', resume, '--iterations', '2');
    expect(service.references).toHaveLength(5);
  });

  it('goes on under --bail after what failed in the run before, up to the next failure', async () => {
    service.answer = (reference) => ({ httpStatus: reference === 'R-3' ? 201 : 500 });
    for (const sent of [['R-1'], ['R-2'], ['R-3']]) {
      service.references.length = 0;
      const first = sent[0] === 'R-1' ? ['--data', 'rows.csv', '--out', 'out'] : ['--resume', resume];
      const end = await run(...first, '--bail');
      expect([end.exitCode, service.references]).toEqual([1, sent]);
    }
  });
});

it('goes on from another folder with what is left alone', async () => {
  await runAndCut('over');
  service.references.length = 0;
  mkdirSync(join(folder, 'elsewhere'));
  const args = ['run', join('..', 'a.http'), '--base-url', service.url, '--resume', resume];
  const end = await runOnce(args, { cwd: join(folder, 'elsewhere'), env });
  expect([end.exitCode, service.references]).toEqual([0, ['R-2', 'R-3']]);
});

describe('a file that is no resume.json', () => {
  it.each([
    [
      'a folder',
      () => mkdirSync(join(folder, 'out', 'other'), { recursive: true }),
      /is no file\. Name the file/,
    ],
    ['text', () => write(join('out', 'other'), 'a\nb\n'), /is not the resume\.json of a run\. Name the file/],
    [
      'a list',
      () => write(join('out', 'other'), '[1]\n'),
      /is not the resume\.json of a run\. Name the file/,
    ],
    [
      'one with a broken line in its middle',
      () => write(join('out', 'other'), '{"version":2}\n{"key\n{"state":"over"}\n'),
      /its line 2 says nothing that this one knows\..*nothing was sent/,
    ],
    [
      'one that a newer version wrote on',
      () => write(join('out', 'other'), '{"version":2}\n\n{"state":"over"}\n{"state":"asked"}\n'),
      /its line 4 says nothing/,
    ],
    [
      'one of a newer version',
      () => write(join('out', 'other'), '{"version":3}\nx\n'),
      /newer version.*nothing was sent/,
    ],
    ...[
      ['no rows', {}],
      ['rows that are no path', { data: 5 }],
      ['iterations that are no number', { iterations: 'x' }],
      ['iterations below one', { iterations: -1 }],
      ['a service that is no text', { service: { toString: 1 } }],
    ].map(([what, changed]): [string, () => void, RegExp] => [
      `one of ${what as string}`,
      () =>
        write(
          join('out', 'other'),
          `${JSON.stringify({ version: 2, sha256: '', requests: '', service: '', ...(changed as object) })}\n`,
        ),
      /is not the resume\.json of a run\. Name the file/,
    ]),
    ['nothing', () => write(join('out', 'other'), ''), /is not the resume\.json of a run/],
    ['one of an earlier version', () => write(join('out', 'other'), '{"version":1}\n'), /earlier version/],
  ])('is refused by --resume: %s', async (_what, make, words) => {
    mkdirSync(join(folder, 'out'));
    make();
    const end = await run('--resume', join('out', 'other'));
    expect(end.stderr).toMatch(words);
    expect(end.stderr.trimEnd().split('\n')).toHaveLength(1);
    expect([end.exitCode, service.references]).toEqual([2, []]);
  });

  it('is not written over by a run into its folder, but where nothing stands in it', async () => {
    mkdirSync(join(folder, 'out'));
    write(join('out', 'resume.json'), '{"mine":true}\n');
    const refused = await run('--data', 'rows.csv', '--out', 'out');
    expect(refused.stderr).toMatch(
      /resume\.json is not the resume\.json of a run\. Move it away, or name another folder/,
    );
    expect([refused.exitCode, service.references]).toEqual([2, []]);
    expect(readFileSync(resume, 'utf8')).toBe('{"mine":true}\n');
    writeFileSync(resume, '');
    expect((await run('--data', 'rows.csv', '--out', 'out')).exitCode).toBe(0);
    expect(service.references).toEqual(references);
  });
});
