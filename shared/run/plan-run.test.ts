import { describe, expect, it } from 'vitest';
import { parseHttpFile } from '../http-file/parse-http-file';
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

  it('waits for the webhook that gives a value', () => {
    const files = {
      'a.http': `${block('one', 'capture paid = webhook payment_reference', 'capture p = body x')}### two\nGET http://a/{{p}}\n\n### three\nGET http://a/{{ paid }}\n`,
    };
    expect(plan(files).requests.map(({ waitsFor }) => waitsFor)).toEqual([[], [], [0]]);
  });
});
