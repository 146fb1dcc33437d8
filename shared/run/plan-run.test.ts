import { describe, expect, it } from 'vitest';
import { parseHttpFile } from '../http-file/parse-http-file';
import { findMissingValues } from './find-missing-values';
import { planRun, type RunRequest } from './plan-run';
import { readDirectives } from './read-directives';

function read(files: Record<string, string>): RunRequest[] {
  return Object.entries(files).flatMap(([file, text]) =>
    parseHttpFile(text).requests.map((block) => ({
      name: block.name ?? file,
      folder: file.includes('/') ? file.slice(0, file.lastIndexOf('/')) : '',
      file,
      block,
      text: text.slice(block.start, block.end),
      directory: '/',
      identity: null,
      directives: readDirectives(block),
    })),
  );
}
const block = (name: string, ...lines: string[]): string =>
  [`### ${name}`, ...lines.map((line) => `# @${line}`), 'GET http://a/', ''].join('\n');
const plan = (files: Record<string, string>, tags: string[] = [], grep: string | null = null) => {
  const { requests, faults } = planRun(read(files), { tags, grep });
  return { names: requests.map(({ request }) => request.name), requests, faults };
};

describe('the plan of a run', () => {
  it('keeps the order of the files, and puts a request behind what it depends on', () => {
    const { names, requests, faults } = plan({
      'a.http': block('one', 'depends-on three') + block('two'),
      'b.http': block('three', 'depends-on four') + block('four'),
    });
    expect(names).toEqual(['four', 'three', 'one', 'two']);
    expect(requests.map(({ dependsOn }) => dependsOn)).toEqual([[], [0], [1], []]);
    expect(faults).toEqual([]);
  });

  it('chooses by tag, by a part of the name or path, and by @only; with what those depend on', () => {
    const files = {
      'pay/a.http': block('one', 'tag smoke, slow') + block('two', 'tag slow', 'depends-on three'),
      'b.http': block('three') + block('Four'),
    };
    expect(plan(files, ['smoke']).names).toEqual(['one']);
    expect(plan(files, ['slow']).names).toEqual(['one', 'three', 'two']);
    expect(plan(files, [], 'fou').names).toEqual(['Four']);
    expect(plan(files, [], 'PAY/').names).toEqual(['one', 'three', 'two']);
    expect(plan({ ...files, 'c.http': block('five', 'only') }).names).toEqual(['five']);
  });

  it('takes the nearest of several with one name, and refuses to guess', () => {
    const near = {
      'x/a.http': block('token') + block('use', 'depends-on token'),
      'y/a.http': block('token'),
    };
    expect(plan(near).requests[1]!.dependsOn).toEqual([0]);
    const far = {
      'x/a.http': block('use', 'depends-on token'),
      'y/a.http': block('token'),
      'z/a.http': block('token'),
    };
    expect(plan(far).faults).toEqual([
      { file: 'x/a.http', line: 2, message: '# @depends-on token: Several requests have that name.' },
    ]);
  });

  it('finds circles and names that nobody has', () => {
    const circle = plan({ 'a.http': block('one', 'depends-on two') + block('two', 'depends-on one') });
    expect(circle.faults[0]).toMatchObject({
      file: 'a.http',
      message: expect.stringMatching(/depends on itself/) as string,
    });
    expect(plan({ 'a.http': block('one', 'depends-on nobody') }).faults[0]?.line).toBe(2);
  });

  it('says of one that depends on itself alone that no other has that name', () => {
    expect(plan({ 'a.http': block('one', 'depends-on one') }).faults[0]?.message).toMatch(/No other request/);
  });

  it('takes a chain of twenty thousand, and many values from webhooks', () => {
    const chain = Array.from({ length: 20_000 }, (_, index) =>
      index === 19_999 ? block(`r${index}`) : block(`r${index}`, `depends-on r${index + 1}`),
    );
    const { requests, faults } = plan({ 'a.http': chain.join('') });
    expect(faults).toEqual([]);
    expect(requests.slice(0, 2).map(({ request }) => request.name)).toEqual(['r19999', 'r19998']);
    const giving = Array.from({ length: 3000 }, (_, index) =>
      block(`g${index}`, `capture v${index} = webhook id`),
    );
    const taking = '### last\nGET http://a/{{v7}}?{{ %v2 }}\n';
    expect(plan({ 'a.http': giving.join('') + taking }).requests.at(-1)?.waitsFor).toEqual([2, 7]);
  });

  it('gives the faults of what is run, and not of what is skipped', () => {
    const files = {
      'a.http': block('one', 'expect status 2', 'capture x', 'tag') + block('two', 'skip later'),
      'b.http': '### three\n# @skip broken\nGET http://a/\nno header\n',
    };
    expect(plan(files).faults.map(({ line, message }) => [line, message.slice(0, 12)])).toEqual([
      [2, '# @expect st'],
      [3, '# @capture x'],
      [4, '# @tag needs'],
    ]);
    expect(plan(files, [], 'two').faults).toEqual([]);
    const skipped = plan(files).requests.map(({ request }) => request.directives.skip);
    expect(skipped).toEqual([null, 'later', 'broken']);
  });

  it('plans thousands of captures in time proportional to them', () => {
    const block = (index: number): string =>
      `### r${index}\n# @expect body x == {{v${index}}}\n# @capture same = webhook id\n# @capture v${index} = body id\nGET http://a/{{same}}/{{v${index}}}\n\n`;
    const found = plan({ 'a.http': Array.from({ length: 3000 }, (_, index) => block(index)).join('') });
    expect(found.requests.flatMap(({ waitsFor }) => waitsFor)).toHaveLength(2999);
    const startedAt = performance.now();
    expect(findMissingValues(found, { variables: { same: '0' }, given: {} }, () => '')).toEqual([]);
    expect(performance.now() - startedAt).toBeLessThan(3000);
  });

  it('finds what nobody gives, in a request and in what is expected of it', () => {
    const found = plan({
      'a.http':
        '@own = 1\n' +
        block('one', 'expect body x == {{own}}', 'expect body x == {{nobody}}', 'capture id = body id') +
        '### two\n# @expect status == {{id}}\n# @expect webhook within 1s status == {{$uuid}}\nGET http://a/{{gone}}\n',
    });
    const missing = findMissingValues(found, { variables: {}, given: {} }, (name) => `give ${name}`);
    expect(missing.map(({ line, message }) => [line, message])).toEqual([
      [4, 'Nobody gives {{nobody}}: give nobody.'],
      [10, 'Nobody gives {{gone}}: give gone.'],
      [9, 'Nobody gives {{$uuid}}: give $uuid.'],
    ]);
  });

  it('waits for the webhook that gives a value', () => {
    const files = {
      'a.http': `${block('one', 'capture paid = webhook payment_reference', 'capture p = body x')}### two\nGET http://a/{{p}}\n\n### three\nGET http://a/{{ paid }}\n`,
    };
    expect(plan(files).requests.map(({ waitsFor }) => waitsFor)).toEqual([[], [], [0]]);
  });
});
