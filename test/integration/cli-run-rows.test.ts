import { spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { payoutBlock, startCountingService, type CountingService } from '../support/counting-service';
import { cliEntry } from '../support/run-cli';
import { makeTemporaryFolder } from '../support/temporary';
import { runOnce } from './cli-once';

const env = { COUNTERSIGN_TOKEN: 'token-of-the-rows' };
let service: CountingService;
let folder: string;

beforeEach(async () => {
  service = await startCountingService();
  folder = makeTemporaryFolder('rows');
});
afterEach(() => service.close());

const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
const run = (...more: string[]) =>
  runOnce(['run', 'a.http', '--base-url', service.url, '--json', ...more], { cwd: folder, env });
const results = (json: Record<string, unknown>[]) => json.filter(({ event }) => event === 'request');
const paid = (request: { path: string }) => request.path.startsWith('/payments/');

describe('run --data', () => {
  it('says how the value of a column is written where its bare name is', async () => {
    write('rows.csv', 'amount,name\n1,Jane\n');
    write('a.http', 'GET {{base_url}}/{{amount}}\n');
    const { exitCode, stderr } = await run('--data', 'rows.csv');
    expect(exitCode).toBe(2);
    expect(stderr).toContain('rows.csv, whose values are written {{row.amount}}.');
    expect(service.requests).toEqual([]);
  });

  it.each([
    ['CSV with commas', 'rows.csv', 'name,reference,amount\nJane,R-1,0010.50\n"O\'Neil, Joe",R-2,7\n'],
    [
      'CSV with semicolons, a mark and CRLF',
      'rows.csv',
      '\ufeffname;reference;amount\r\nJane;R-1;0010.50\r\n"O\'Neil, Joe";R-2;7\r\n',
    ],
    [
      'CSV with line breaks in quotes',
      'rows.csv',
      'name,reference,amount,note\nJane,R-1,0010.50,"two\nlines"\n"O\'Neil, Joe",R-2,7,"a ""b"""\n',
    ],
    [
      'JSON',
      'rows.json',
      '[{"name":"Jane","reference":"R-1","amount":"0010.50"},{"name":"O\'Neil, Joe","reference":"R-2","amount":7}]',
    ],
  ])('runs once a row of %s, values as text', async (_name, file, text) => {
    write(file, text);
    write(
      'a.http',
      `${payoutBlock('pay', ['expect status 201'], '{{row.reference}}')}### get\n# @expect body path == /{{row.amount}}\nGET {{base_url}}/{{row.amount}}\n`,
    );
    const { exitCode, json } = await run('--data', file);
    expect(exitCode).toBe(0);
    expect(service.references).toEqual(['R-1', 'R-2']);
    expect(service.requests.filter(({ method }) => method === 'GET').map(({ path }) => path)).toEqual([
      '/0010.50',
      '/7',
    ]);
    expect(results(json).map(({ title }) => title)).toEqual([
      'pay [Jane]',
      'get [Jane]',
      "pay [O'Neil, Joe]",
      "get [O'Neil, Joe]",
    ]);
    expect(results(json)[3]!['row']).toEqual({ number: 2, name: "O'Neil, Joe" });
  });

  it.each([
    ['a row with too many values', 'a,b\n1,2\n1,2,3\n', /line 3 has 3 values.* names 2 columns.*quotes/],
    ['a row with too few values', 'a,b\n1\n', /line 2 has 1 value, .* names 2 columns/],
    ['a quote that never ends', 'a,b\n1,"2\n', /uot/],
    ['two columns of one name', 'a,a\n1,2\n', /two columns/],
    ['a column without a name', 'a,\n1,2\n', /no name/],
    ['no row at all', 'a,b\n', /no row/],
    ['a column that a request asks for and the rows have not', 'a,b\n1,2\n', /row\.reference.*'a', 'b'/],
  ])('refuses %s before anything is sent', async (_name, text, words) => {
    write('rows.csv', text);
    write('a.http', payoutBlock('pay', [], '{{row.reference}}'));
    const { exitCode, stderr } = await run('--data', 'rows.csv');
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(words);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(service.requests).toEqual([]);
  });

  it('says of a value of the call that it takes the place of a column, and of no other', async () => {
    write('rows.csv', 'reference,amount\nR-1,7\nR-2,8\n');
    write(
      'a.http',
      `${payoutBlock('pay', [], '{{row.reference}}')}### get\nGET {{base_url}}/{{row.amount}}\n`,
    );
    const { json, stderr } = await run('--data', 'rows.csv', '--var', 'row.amount=99', '--var', 'other=1');
    expect(stderr).toContain(
      '{{row.amount}} is the one of the call (--var) in every row: what the rows have in their column amount is not sent.',
    );
    expect(stderr.match(/is the one of the call/g)).toHaveLength(1);
    expect(JSON.stringify(json)).not.toMatch(/\/[78]"/);
  });

  it('says where rows come from to a run that has none', async () => {
    write('a.http', payoutBlock('pay', [], '{{row.reference}}'));
    const { exitCode, stderr } = await run();
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/row\.reference.*--data FILE.*'reference'/);
    expect(stderr).not.toContain('--var');
  });

  it('goes on after a kill -9: no reference twice, none forgotten; one in flight is asked for first', async () => {
    const count = 60;
    write('rows.csv', `reference\n${Array.from({ length: count }, (_, index) => `R-${index}`).join('\n')}\n`);
    write(
      'a.http',
      payoutBlock('pay', ['expect status 201', 'expect webhook within 20s'], '{{row.reference}}'),
    );
    const args = ['run', 'a.http', '--base-url', service.url, '--data', 'rows.csv', '--out', 'out'];
    const resume = join(folder, 'out', 'resume.json');
    // Three runs are killed: while rows are sent, and while webhooks are waited for.
    for (const [turn, stopAt] of [7, 23, 41].entries()) {
      const more = turn === 0 ? [] : ['--resume', resume];
      const child = spawn(process.execPath, [cliEntry, ...args, ...more], {
        cwd: folder,
        env: { ...process.env, ...env },
        stdio: 'ignore',
      });
      while (service.requests.filter(paid).length < stopAt)
        await new Promise((resolve) => setTimeout(resolve, 5));
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    // A new run on that folder would pay everybody again.
    const again = await runOnce(args, { cwd: folder, env });
    expect(again.exitCode).toBe(2);
    expect(again.stderr).toContain('--resume');
    const end = await runOnce([...args, '--resume', resume, '--json'], { cwd: folder, env });
    expect(end.stderr).not.toMatch(/running\./);
    expect(service.references).toHaveLength(count);
    expect(new Set(service.references).size).toBe(count);
    expect(end.exitCode).toBe(0);
    const { passed, skipped, ...rest } = end.json.at(-1) as Record<string, unknown>;
    // Of one whose answer was lost with its run nothing is judged.
    expect(Number(passed) + Number(skipped)).toBe(count);
    expect(Number(skipped)).toBeLessThanOrEqual(3);
    expect(rest).toMatchObject({ failed: 0, errors: 0 });
    expect(service.queries.length).toBeGreaterThan(0);
    // Once it is over, the folder is free.
    expect(readFileSync(resume, 'utf8')).toContain('"over"');
  });

  it('asks for a reference that was in flight, and sends it, the same bytes, where nobody knows it', async () => {
    write('rows.csv', 'name\nJane\n');
    write('a.http', payoutBlock('pay', ['expect status 201']));
    await run('--data', 'rows.csv', '--out', 'out');
    const resume = join(folder, 'out', 'resume.json');
    const lines = readFileSync(resume, 'utf8').split('\n');
    const [reference] = service.references;
    // As a kill between the two would have left it, with half a line behind.
    writeFileSync(resume, `${lines.slice(0, 2).join('\n')}\n{"key":"1/`);
    await run('--resume', resume);
    expect(service.references).toEqual([reference]);
    writeFileSync(resume, `${lines.slice(0, 2).join('\n')}\n`);
    const other = await startCountingService();
    const args = ['run', 'a.http', '--base-url', other.url, '--resume', resume];
    await runOnce(args, { cwd: folder, env });
    expect(other.queries.map((one) => one.reference)).toEqual([reference]);
    expect(other.references).toEqual([reference]);
    await other.close();
  });

  it.each([
    ['failed', 'expect webhook within 1s status == FAILED', { passed: 0, failed: 0, skipped: 1 }, 0],
    ['succeeded', 'expect webhook within 1s status == FAILED', { passed: 0, failed: 1, skipped: 0 }, 1],
    ['failed', 'expect state within 1s == failed', { passed: 1, failed: 0, skipped: 0 }, 0],
    ['succeeded', 'expect state within 1s == failed', { passed: 0, failed: 1, skipped: 0 }, 1],
    ['succeeded', 'expect status 201', { passed: 0, failed: 0, skipped: 1 }, 0],
    ['processing', 'expect webhook within 1s', { passed: 0, failed: 0, skipped: 0, unfinished: 1 }, 3],
  ])('judges one in flight that is %s by its own `%s`', async (state, line, counts, exitCode) => {
    write('rows.csv', 'name\nJane\n');
    write('a.http', payoutBlock('pay', [line]));
    service.answer = () => ({ webhookAfterMs: null });
    await run('--data', 'rows.csv', '--out', 'out');
    const resume = join(folder, 'out', 'resume.json');
    const lines = readFileSync(resume, 'utf8').split('\n');
    service.state = state;
    writeFileSync(resume, `${lines.slice(0, 2).join('\n')}\n`);
    const end = await run('--resume', resume);
    expect(service.references).toHaveLength(1);
    expect(end.json.at(-1)).toMatchObject(counts);
    expect(end.exitCode).toBe(exitCode);
  });

  it('knows of one that was cut off while it waited what its answer had shown, and says what is not judged', async () => {
    write('rows.csv', 'name\nJane\n');
    write('a.http', payoutBlock('pay', ['expect status 201', 'expect webhook within 1s']));
    service.answer = () => ({ webhookAfterMs: null });
    await run('--data', 'rows.csv', '--out', 'out');
    const resume = join(folder, 'out', 'resume.json');
    const lines = readFileSync(resume, 'utf8').split('\n');
    writeFileSync(resume, `${lines.slice(0, 3).join('\n')}\n`);
    const end = await runOnce(['run', 'a.http', '--base-url', service.url, '--resume', resume], {
      cwd: folder,
      env,
    });
    expect(end.stdout).toContain('1 of 1 expectations held, 1 not judged');
    expect(end.stdout).toContain('webhook within 1s: not judged: the run was cut off after it was sent');
    expect(end.exitCode).toBe(0);
  });

  it('refuses rows that changed, and a file that is no resume.json', async () => {
    write('rows.csv', 'reference\nR-1\n');
    write('a.http', payoutBlock('pay', ['expect status 201'], '{{row.reference}}'));
    await run('--data', 'rows.csv', '--out', 'out');
    write('rows.csv', 'reference\nR-2\n');
    const changed = await run('--resume', join('out', 'resume.json'));
    expect(changed.exitCode).toBe(2);
    expect((await run('--data', 'rows.csv', '--resume', 'a.http')).exitCode).toBe(2);
    expect((await run('--resume', 'nothing.json')).exitCode).toBe(2);
    expect(service.references).toEqual(['R-1']);
    expect(existsSync(join(folder, 'nothing.json'))).toBe(false);
  });
});

describe('a row that leaves a body which cannot be signed', () => {
  const pay = (amount: string) =>
    payoutBlock('pay', ['expect status 201'], '{{row.reference}}')
      .replace('1500.00', amount)
      .replace('\n\n', '\nX-Custom-Signature: {{signature}}\n\n');
  const rows = (cell: string) => `reference;amount\nR-1;1000\nR-2;${cell}\n`;

  beforeEach(() => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    write('key.pem', privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
  });

  it.each([
    [
      'a comma for a point',
      '2000,50',
      "row 2 .*a\\.http:\\d+.* Write its 'amount', '2000,50', as JSON has it",
    ],
    ['no value', '', "row 2 .*Write its 'amount', '', as JSON has it"],
  ])('is refused before anything is sent: %s', async (_what, cell, words) => {
    write('rows.csv', rows(cell));
    write('a.http', pay('{{row.amount}}'));
    const { exitCode, stderr } = await run('--data', 'rows.csv', '--key', 'key.pem');
    expect([exitCode, service.requests]).toEqual([2, []]);
    expect(stderr).toMatch(new RegExp(words));
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  });

  it('is sent where the cell is as JSON has it, or stands inside quotes', async () => {
    write('rows.csv', rows('2000.50'));
    write('a.http', pay('{{row.amount}}'));
    expect((await run('--data', 'rows.csv', '--key', 'key.pem')).exitCode).toBe(0);
    write('rows.csv', rows('2000,50').replaceAll('R-', 'Q-'));
    write('a.http', pay('"{{row.amount}}"'));
    await run('--data', 'rows.csv', '--key', 'key.pem');
    expect(service.references).toEqual(['R-1', 'R-2', 'Q-1', 'Q-2']);
  });
});

describe('a reference that comes again in a run of rows', () => {
  const pay = payoutBlock('pay', ['expect status 201'], '{{row.reference}}');
  it.each([
    [
      'two rows have',
      pay,
      'R-1\nR-2\nR-1\n',
      [],
      /rows 1 and 3 have the same reference, R-1 \(a\.http:\d+\)/,
    ],
    ['many rows have', pay, 'R-1\nR-1\nR-1\n', [], /rows 1 and 2 .*\(2 in all\)/],
    ['the file itself has', payoutBlock('pay', [], 'R-9'), 'R-1\nR-2\n', [], /rows 1 and 2 .* R-9/],
    ['each iteration has', pay, 'R-1\n', ['--iterations', '2'], /each iteration .* R-1 of row 1/],
  ])('is refused before anything is sent where %s it', async (_who, text, rows, more, words) => {
    write('rows.csv', `reference\n${rows}`);
    write('a.http', text);
    const { exitCode, stderr } = await run('--data', 'rows.csv', ...more);
    expect([exitCode, service.requests]).toEqual([2, []]);
    expect(stderr).toMatch(words);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  });

  it.each([[[]], [['--out', 'out']]])(
    'is not sent again where it was drawn as it left (%j)',
    async (more) => {
      write('rows.csv', 'name\nJane\nJoe\n');
      write('a.http', payoutBlock('pay', ['expect status 201'], 'D-{{$randomInt 1 2}}'));
      const { exitCode, json } = await run('--data', 'rows.csv', ...more);
      expect([exitCode, service.references]).toEqual([1, ['D-1']]);
      expect(results(json)[1]).toMatchObject({ outcome: 'error', error_code: 'running.sent_before' });
      expect(results(json)[1]!['reason']).toContain(
        'Row 2 has the reference D-1, which row 1 has sent already',
      );
    },
  );

  it('is sent where two requests of one row have it, which try what happens then', async () => {
    write('rows.csv', 'reference\nR-1\nR-2\n');
    write('a.http', pay + payoutBlock('again', ['expect status 201'], '{{row.reference}}'));
    const { exitCode } = await run('--data', 'rows.csv', '--out', 'out');
    expect([exitCode, service.references]).toEqual([0, ['R-1', 'R-1', 'R-2', 'R-2']]);
  });
});

describe('a run of rows that is ended before its last', () => {
  const summary = (end: { json: Record<string, unknown>[] }) => end.json.at(-1);
  it('says how many requests and rows were not sent, and how to go on', async () => {
    write('rows.csv', 'reference\nR-1\nR-2\nR-3\nR-4\n');
    write(
      'a.http',
      payoutBlock('pay', ['expect status 201'], '{{row.reference}}') + '### get\nGET {{base_url}}/a\n',
    );
    service.answer = (reference) => ({ httpStatus: reference === 'R-2' ? 500 : 201 });
    const end = await run('--data', 'rows.csv', '--bail', '--out', 'out');
    expect(end.exitCode).toBe(1);
    expect(summary(end)).toMatchObject({ not_sent: 5, rows: { all: 4, not_begun: 2 }, interrupted: false });
    expect(end.stderr).toContain('5 requests were not sent, and nothing of 2 of 4 rows.');
    expect(end.stderr).toContain(join('out', 'resume.json'));
    const rest = await run('--resume', join('out', 'resume.json'));
    expect(summary(rest)).toMatchObject({ not_sent: 0 });
    expect(service.references).toEqual(['R-1', 'R-2', 'R-3', 'R-4']);
    expect(rest.stderr).not.toContain('--resume');
  });

  it('counts no row as begun that was still to wait for its turn', async () => {
    write('rows.csv', 'reference\nR-1\nR-2\nR-3\n');
    write('a.http', payoutBlock('pay', ['expect status 201'], '{{row.reference}}'));
    const args = ['run', '.', '--base-url', service.url, '--data', 'rows.csv', '--delay', '60000'];
    const child = spawn(process.execPath, [cliEntry, ...args], {
      cwd: folder,
      env: { ...process.env, ...env },
    });
    let told = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      told += text;
      // The first row is over, and the second waits.
      if (told.includes('pay [R-1]') && !told.includes('passed,'))
        setTimeout(() => child.kill('SIGINT'), 200);
    });
    await once(child, 'close');
    expect(told).toContain('The run was ended: 2 requests were not sent, and nothing of 2 of 3 rows.');
  });

  it('says that nothing is remembered where no folder was named', async () => {
    write('rows.csv', 'reference\nR-1\nR-2\n');
    write('a.http', payoutBlock('pay', ['expect status 299'], '{{row.reference}}'));
    const end = await run('--data', 'rows.csv', '--bail');
    expect(summary(end)).toMatchObject({ not_sent: 1, rows: { all: 2, not_begun: 1 } });
    expect(end.stderr).toContain('with --out DIR, a run that was ended can be gone on with');
  });
});

describe('rows that are changed while they are sent', () => {
  const rows = 'reference\nR-1\nR-2\nR-3\n';
  const file = (): string => join(folder, 'rows.csv');
  it.each([
    ['others stand in their place', () => write('rows.csv', rows.replace('R-2', 'R-9')), /it was changed/],
    ['they are taken away', () => rmSync(file()), /it was taken away/],
    ['they are none any more', () => write('rows.csv', '"'), /it was changed/],
  ])('are sent no further where %s; what was sent is reported', async (_what, change, words) => {
    write('rows.csv', rows);
    write('a.http', payoutBlock('pay', ['expect status 201'], '{{row.reference}}'));
    service.answer = () => (change(), { httpStatus: 201 });
    const end = await run('--data', 'rows.csv', '--reporter', 'junit', '--out', 'out');
    expect([end.exitCode, service.references]).toEqual([2, ['R-1']]);
    expect(end.json.at(-1)).toMatchObject({ passed: 1, not_sent: 2, interrupted: false });
    expect(end.json.at(-1)!['fault']).toMatch(words);
    const junit = readFileSync(join(folder, 'out', 'junit.xml'), 'utf8');
    expect(junit).toContain('The run could not go on: 2 requests were not sent, and nothing of 2 of 3 rows.');
    // As they were, they are gone on with.
    service.answer = () => ({ httpStatus: 201 });
    write('rows.csv', rows);
    const rest = await run('--resume', join('out', 'resume.json'));
    expect([rest.exitCode, service.references]).toEqual([0, ['R-1', 'R-2', 'R-3']]);
  });

  it('are sent to their end where they were saved as they are', async () => {
    write('rows.csv', rows);
    write('a.http', payoutBlock('pay', ['expect status 201'], '{{row.reference}}'));
    service.answer = () => (write('rows.csv', rows), { httpStatus: 201 });
    const end = await run('--data', 'rows.csv');
    expect([end.exitCode, service.references]).toEqual([0, ['R-1', 'R-2', 'R-3']]);
    expect(end.json.at(-1)).toMatchObject({ fault: null });
  });
});
