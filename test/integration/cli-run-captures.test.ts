import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { payoutBlock, startCountingService, type CountingService } from '../support/counting-service';
import { makeTemporaryFolder } from '../support/temporary';
import { runOnce } from './cli-once';

const env = { COUNTERSIGN_TOKEN: 'token-of-the-captures' };
let service: CountingService;
let folder: string;

beforeEach(async () => {
  service = await startCountingService();
  folder = makeTemporaryFolder('captures');
});
afterEach(() => service.close());

const write = (text: string): void => writeFileSync(join(folder, 'a.http'), text);
const run = (...more: string[]) =>
  runOnce(['run', 'a.http', '--base-url', service.url, ...more], { cwd: folder, env });
const results = (json: Record<string, unknown>[]) => json.filter(({ event }) => event === 'request');

describe('a capture of a run', () => {
  it.each([
    ['body', 'capture id = body data.payment_uid', 'Here data has payment_uuid'],
    ['header', 'capture id = header X-None', 'no such header'],
    ['webhook', 'capture id = webhook payment_reference', 'no payment_reference'],
  ])(
    'that finds nothing in the %s fails its request, whether or not its value is asked for',
    async (_kind, line, told) => {
      write(payoutBlock('pay', ['expect status 201', 'expect webhook within 1s', line], 'R-1'));
      const { exitCode, json } = await run('--json');
      expect(exitCode).toBe(1);
      expect(json.at(-1)).toMatchObject({ failed: 1, expectations: { held: 2, failed: 1, unfinished: 0 } });
      const [result] = results(json);
      const expectations = result!['expectations'] as Record<string, string>[];
      expect(expectations[2]).toMatchObject({ text: line, line: 4, outcome: 'failed' });
      expect(`${expectations[2]!['received']} ${expectations[2]!['advice']}`).toContain(told);
    },
  );

  it('that finds nothing stands in every report, at its line, where it is sought for included', async () => {
    write('### get\n# @capture access_token = body data.none\nGET {{base_url}}/a\n');
    const reporters = ['json', 'junit', 'html', 'tap', 'spec', 'github'].flatMap((name) => [
      '--reporter',
      name,
    ]);
    const { exitCode, stdout } = await run('--out', 'out', ...reporters);
    expect(exitCode).toBe(1);
    const files = ['report.json', 'junit.xml', 'report.html', 'report.tap'];
    for (const text of files.map((name) => readFileSync(join(folder, 'out', name), 'utf8')))
      expect(text).toContain('capture access_token = body data.none');
    expect(stdout).toContain('a.http:2: capture access_token = body data.none');
    expect(stdout).toContain('::error file=a.http,line=2,title=get::capture access_token = body data.none');
    expect(stdout).not.toContain('no expectations');
  });

  it('that holds is counted and tells no report what it found', async () => {
    write(
      '### get\n# @capture pin = body echo.x-pin\nGET {{base_url}}/a\nX-Pin: 4711\n\n### next\n# @expect body path == /4711\nGET {{base_url}}/{{pin}}\n',
    );
    const { exitCode, json } = await run('--json');
    expect(exitCode).toBe(0);
    expect(json.at(-1)).toMatchObject({ passed: 2, expectations: { held: 2 }, without_expectations: 0 });
    expect(results(json)[0]!['expectations']).toMatchObject([{ outcome: 'held', received: 'a value' }]);
  });

  it('waits for the webhook that brings it where nothing else does', async () => {
    service.answer = () => ({ webhookAfterMs: 400, webhook: { payment_reference: 'P-9' } });
    write(
      `${payoutBlock('pay', ['capture known = webhook payment_reference'], 'R-1')}### next\n# @expect body path == /P-9\nGET {{base_url}}/{{known}}\n`,
    );
    const { exitCode, json } = await run('--json');
    expect([exitCode, json.at(-1)!['passed']]).toEqual([0, 2]);
  });

  it('of an earlier request is not overwritten by one that was waited for longer', async () => {
    service.answer = () => ({ webhookAfterMs: 500 });
    write(
      `${payoutBlock('pay', ['expect webhook within 5s', 'capture id = body data.transaction_reference'], 'R-1')}` +
        '### get\n# @capture id = body path\nGET {{base_url}}/later\n\n' +
        '### slow\n# @expect no webhook for 1s\nGET {{base_url}}/slow\n\n' +
        '### alone\n# @depends-on pay\n# @expect body path == //later\nGET {{base_url}}/{{id}}\n',
    );
    const { json } = await run('--json');
    expect(results(json).find(({ name }) => name === 'alone')).toMatchObject({ outcome: 'passed' });
  });

  it('has its value in a run that goes on with one that was killed; a secret is written down nowhere', async () => {
    writeFileSync(join(folder, 'rows.csv'), 'name\nJane\nJoe\n');
    const captures = ['capture id = body data.payment_uuid', 'capture access_token = body data.payment_uuid'];
    write(
      `${payoutBlock('pay', captures)}### get\n# @expect body path == /{{id}}\nGET {{base_url}}/{{id}}\n\n` +
        '### secret\nGET {{base_url}}/{{access_token}}\n',
    );
    await run('--data', 'rows.csv', '--out', 'out');
    const resume = join(folder, 'out', 'resume.json');
    const written = readFileSync(resume, 'utf8');
    expect(written).not.toContain('access_token');
    // As a kill after the first request of the second row was done would have left it.
    const second = written.split('\n').filter((line) => line.includes(`"key":"1/2/`));
    const isFirst = (line: string): boolean => line.includes(/"key":"([^"]+)"/.exec(second[0]!)![1]!);
    const kept = written.split('\n').filter((line) => !second.includes(line) || isFirst(line));
    writeFileSync(resume, kept.filter((line) => !line.includes('"over"')).join('\n'));
    const { json } = await run('--resume', resume, '--json');
    const [, , , , get, secret] = results(json);
    expect(get).toMatchObject({ title: 'get [Joe]', outcome: 'passed', attempts: 1 });
    expect(secret!['reason']).toContain('the run before, which sent it, did not keep that');
    expect(service.references).toHaveLength(2);
  });

  it('says why its value is missing to a request that asks for it', async () => {
    write(
      '### get\n# @expect status 299\n# @capture id = body path\nGET {{base_url}}/a\n\n' +
        '### skipped\n# @depends-on get\n# @capture other = body path\nGET {{base_url}}/b\n\n' +
        '### asks\nGET {{base_url}}/{{other}}\n',
    );
    const { json } = await run('--json');
    expect(results(json).find(({ name }) => name === 'asks')!['reason']).toContain(
      "'skipped' (a.http) was to capture other from body path, but it was skipped.",
    );
  });

  it.each([
    ['of an answer', '# @capture id = body data.transaction_reference', '{{id}}', 'id'],
    ['of a webhook', '# @expect webhook within 5s\n# @capture id = webhook client_reference', '{{id}}', 'id'],
    ['of the last reference', '# @expect status < 300', '{{last_reference}}', 'last_reference'],
    ['of a row', '# @expect status < 300', '{{row.name}}', 'row.name'],
  ])('goes behind the value that the call gives: one %s', async (_what, lines, used, name) => {
    writeFileSync(join(folder, 'rows.csv'), 'name\nJane\n');
    const block = payoutBlock('pay', [], 'R-1').replace('POST', `${lines}\nPOST`);
    write(
      `${block}### asks\n# @depends-on pay\n# @expect body path == /given\n# @expect body path contains ${used}\nGET {{base_url}}/${used}\n`,
    );
    const end = await run('--data', 'rows.csv', '--var', `${name}=given`, '--out', 'out', '--json');
    expect(results(end.json).map(({ outcome }) => outcome)).toEqual(['passed', 'passed']);
    // Nobody is told a value of the call that the run before did not capture.
    expect(readFileSync(join(folder, 'out', 'resume.json'), 'utf8')).not.toContain('"given"');
    expect(end.stderr.includes('{{id}} is the one of the call (--var)')).toBe(name === 'id');
  });

  it('is kept under a name that objects lose', async () => {
    write(
      '### get\n# @capture __proto__ = body path\nGET {{base_url}}/later\n\n' +
        '### asks\n# @depends-on get\n# @expect body path == //later\nGET {{base_url}}/{{__proto__}}\n',
    );
    const { json } = await run('--json');
    expect(results(json).find(({ name }) => name === 'asks')).toMatchObject({ outcome: 'passed' });
  });

  describe('of the reference that was sent last', () => {
    const ask = (name: string, wanted: string, ...lines: string[]): string =>
      `### ${name}\n# @expect body path == /${wanted}\n# @expect body path == /{{last_reference}}\nGET {{base_url}}/{{last_reference}}\n${lines.join('\n')}\n\n`;

    it('is that of the product whose token the request carries, else the very last', async () => {
      const other = payoutBlock('other', [], 'R-2').replace('POST', '# @operation remittance\nPOST');
      write(
        `${payoutBlock('pay', [], 'R-1')}${other}${ask('latest', 'R-2')}` +
          ask('payout', 'R-1', 'Authorization: Bearer {{token.payout}}') +
          ask('remittance', 'R-2', 'Authorization: Bearer {{token.remittance}}'),
      );
      const { exitCode, json } = await run('--json');
      expect([exitCode, json.at(-1)!['passed']]).toEqual([0, 5]);
    });

    it('is known in a run that goes on with one that was killed behind it', async () => {
      writeFileSync(join(folder, 'rows.csv'), 'name\nR-1\nR-2\n');
      write(`${payoutBlock('pay', [], '{{row.name}}')}${ask('asks', '{{row.name}}')}`);
      await run('--data', 'rows.csv', '--out', 'out');
      const resume = join(folder, 'out', 'resume.json');
      const lines = readFileSync(resume, 'utf8').split('\n');
      const isKept = (line: string): boolean => !line.includes('"over"') && !line.includes('"key":"1/1/1"');
      writeFileSync(resume, lines.filter(isKept).join('\n'));
      const { exitCode, json } = await run('--resume', resume, '--json');
      expect(results(json).find(({ title }) => title === 'asks [R-1]')).toMatchObject({ outcome: 'passed' });
      expect([exitCode, service.references]).toEqual([0, ['R-1', 'R-2']]);
    });
  });

  describe('that holds a secret', () => {
    let stranger: CountingService;
    beforeEach(async () => (stranger = await startCountingService()));
    afterEach(() => stranger.close());
    const ask = (capture: string): string =>
      `### ask\n# @capture note = ${capture}\nGET {{base_url}}/a\nAuthorization: Bearer {{token.payout}}\nX-Code: c0de-of-the-service\n\n`;
    const take = (text: string): string =>
      `### take\n@kept = {{note}}\nGET ${stranger.url}/b?x=${text}\n\n### header\nGET ${stranger.url}/c\nX-Note: {{note}}\n\n` +
      `### body\nPOST ${stranger.url}/d\n\n{"a": "{{note}}"}\n`;

    it.each([
      ['echoed by the service', 'body echo.authorization', '{{note}}'],
      ['within an object', 'body echo', '{{%kept}}'],
    ])('is taken to no other host: %s', async (_what, capture, text) => {
      write(ask(capture) + take(text));
      writeFileSync(join(folder, 'rows.csv'), 'name\nJane\n');
      const { exitCode, json } = await run('--json', '--data', 'rows.csv', '--out', 'out');
      expect([exitCode, stranger.requests]).toEqual([2, []]);
      const written = readFileSync(join(folder, 'out', 'resume.json'), 'utf8');
      expect(written).not.toContain(env.COUNTERSIGN_TOKEN);
      for (const result of results(json).slice(1)) {
        expect(result['outcome']).toBe('error');
        expect(JSON.stringify(result)).toContain('{{note}} was captured from an answer');
      }
    });

    it('goes where it is allowed, back to the service, and to the stranger that gave it', async () => {
      const host = new URL(stranger.url).host;
      write(ask('body echo.authorization') + take('{{note}}'));
      await run('--allow-host', host);
      expect(stranger.requests).toHaveLength(3);
      write(`${ask('body echo.authorization')}### back\nGET {{base_url}}/b\nX-Note: {{note}}\n`);
      expect((await run('--json')).json.at(-1)).toMatchObject({ passed: 2 });
      write(
        `### login\n# @capture access_token = body path\nGET ${stranger.url}/of-the-stranger\n\n### use\nGET ${stranger.url}/e\nX-Note: {{access_token}}\n`,
      );
      expect((await run('--json')).json.at(-1)).toMatchObject({ passed: 2 });
    });

    it('of another host goes to the service and back to that host, and to a third one only where that is allowed', async () => {
      const third = await startCountingService();
      const login = `### login\n# @capture access_token = body path\nGET ${stranger.url}/s3cret-of-the-stranger\n\n`;
      const use = (url: string): string => `### use\nGET ${url}/e\nX-Note: {{access_token}}\n`;
      write(login + use('{{base_url}}'));
      expect((await run('--json')).json.at(-1)).toMatchObject({ passed: 2 });
      expect(service.requests.map(({ path }) => path)).toEqual(['/e']);
      write(
        `${login}### indirect\n@kept = x{{access_token}}\nGET ${third.url}/{{kept}}\n\n${use(third.url)}`,
      );
      const { exitCode, json, stdout } = await run('--json');
      expect([exitCode, third.requests]).toEqual([2, []]);
      expect(stdout).not.toContain('s3cret-of-the-stranger');
      const told = `{{access_token}} was captured from an answer of ${stranger.url}, holds a secret, and would go to ${third.url}`;
      for (const result of results(json).slice(1)) expect(JSON.stringify(result)).toContain(told);
      write(login + use(third.url));
      expect((await run('--json', '--allow-host', new URL(third.url).host)).json.at(-1)).toMatchObject({
        passed: 2,
      });
      await third.close();
    });

    it('is one by what it holds: what is none goes anywhere', async () => {
      write(ask('body echo.x-code') + take('{{note}}'));
      await run();
      expect(stranger.requests.map(({ path }) => path)).toEqual(['/b?x=c0de-of-the-service', '/c', '/d']);
    });
  });
});
