import { describe, expect, it } from 'vitest';
import { parseHttpFile } from '../http-file/parse-http-file';
import { findMissingValues, foresee } from './find-missing-values';
import { planRun, type RunRequest } from './plan-run';
import { readDirectives } from './read-directives';
import { countProcessorMs } from '../../test/support/processor-time';

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

  it('refuses slips in the words of ours, which would leave a request unjudged; what others write stands', () => {
    const { faults } = plan({
      'a.http': block(
        'one',
        'expects status 201',
        'Expect status 201',
        'captur a = body b',
        'dependsOn two',
        'taag x',
      ),
      'b.http': block('two', 'title T', 'timeout 5', 'retry 3', 'anna please look', 'tag slow, bank'),
    });
    expect(faults.map(({ line, message }) => [line, message])).toEqual([
      [2, 'There is no # @expects: write # @expect, or leave the @ out.'],
      [3, 'There is no # @Expect: write # @expect, or leave the @ out.'],
      [4, 'There is no # @captur: write # @capture, or leave the @ out.'],
      [5, 'There is no # @dependsOn: write # @depends-on, or leave the @ out.'],
      [6, 'There is no # @taag: write # @tag, or leave the @ out.'],
    ]);
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
      {
        file: 'x/a.http',
        line: 2,
        message: '# @depends-on token: Several requests have that name: y/a.http:2, z/a.http:2.',
      },
    ]);
  });

  it.each([
    "p/Pay (Ann's conflicted copy 2026-11-28).http",
    'p/Pay (conflicted copy 2026-11-28 101010).http',
    'p/Pay (SFConflict ann@x.example 2026-11-28-10-10-10).http',
    'p/Pay.sync-conflict-20261128-101010-ABCDEFG.http',
    'p/Pay.sync-conflict-20261128-101010.http',
    'p/Pay (Case Conflict).http',
    'p/Pay (Unicode Encoding Conflict).http',
    'p/Pay (In Konflikt stehende Kopie von Ann 2026-11-28).http',
    'p/Pay (Copie en conflit de Ann 2026-11-28).http',
    'p/Pay (Copia en conflicto de Ann 2026-11-28).http',
    'p/Pay_conflict-20261128-101010.http',
    'p/Pay_conflict-ann-20261128-101010.http',
    'p/Pay-DESKTOP-4F7K2LQ.http',
    'p/Pay-LAPTOP-5GJ3K2L1.http',
    'p/Pay [Conflict].http',
    'p/Pay_LOCAL_4711.http',
    'p/Pay_REMOTE_4711.http',
    'p/Pay_BASE_4711.http',
    'p/Pay_BACKUP_4711.http',
  ])('sends no payment twice where a program for synchronising left %s', (copy) => {
    const files = { 'p/Pay.http': block('Pay'), [copy]: block('Pay') };
    const { faults } = plan(files);
    expect(faults).toEqual([
      {
        file: copy,
        line: 1,
        message: expect.stringMatching(/^It is the copy of p\/Pay\.http .*keep one/) as string,
      },
    ]);
    expect(plan({ [copy]: block('Pay') }).faults).toEqual([]);
    expect(plan({ ...files, 'p/Pay.http': '', 'Pay.http': block('Pay') }).faults).toEqual([]);
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
    const processorMs = countProcessorMs();
    expect(
      findMissingValues(foresee(found, { variables: { same: '0' }, given: {} }), { adviseOn: () => '' }),
    ).toEqual([]);
    expect(processorMs()).toBeLessThan(3000);
  });

  it('finds what nobody gives, in a request and in what is expected of it', () => {
    const found = plan({
      'a.http':
        '@own = 1\n' +
        block('one', 'expect body x == {{own}}', 'expect body x == {{nobody}}', 'capture id = body id') +
        '### two\n# @expect status == {{id}}\n# @expect webhook within 1s status == {{$uuid}}\nGET http://a/{{gone}}\n',
    });
    const missing = findMissingValues(foresee(found, { variables: {}, given: {} }), {
      adviseOn: (name) => `give ${name}`,
    });
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

  it('chooses by either of two tags, and by more than one word of its comments', () => {
    const files = { 'a.http': block('one', 'tag smoke,  slow , x') + block('two', 'tag y') + block('three') };
    expect(plan(files, ['smoke', 'y']).names).toEqual(['one', 'two']);
    expect(plan(files, ['x']).names).toEqual(['one']);
    expect(plan(files, ['']).names).toEqual([]);
    expect(plan({ 'a.http': block('one', 'tag , smoke,') }, ['']).names).toEqual([]);
    expect(plan({ 'a.http': block('one', 'tag , smoke,') }, ['smoke']).names).toEqual(['one']);
    expect(read(files)[0]?.directives.tags).toEqual(['smoke', 'slow', 'x']);
  });

  it('finds part of a name or path that lower and upper case write otherwise', () => {
    expect(plan({ 'a.http': block('Straße') }, [], 'STRASSE').names).toEqual([]);
    expect(plan({ 'a.http': block('İx') }, [], 'İX').names).toEqual(['İx']);
  });

  it('takes one of the same file before one of the same folder, and that before any other', () => {
    const use = block('use', 'depends-on token');
    const chosen = (files: Record<string, string>): string | undefined => {
      const { requests, faults } = plan(files);
      expect(faults).toEqual([]);
      const place = requests.find(({ request }) => request.name === 'use')!.dependsOn[0]!;
      return requests[place]?.request.file;
    };
    const token = block('token');
    expect(chosen({ 'x/a.http': token, 'x/b.http': use + token, 'y/c.http': token })).toBe('x/b.http');
    expect(chosen({ 'x/a.http': token, 'x/b.http': use, 'y/c.http': token })).toBe('x/a.http');
    expect(chosen({ 'x/b.http': use, 'y/c.http': token })).toBe('y/c.http');
  });

  it('names no more of those that are near than there are', () => {
    const files = { 'a.http': block('use', 'depends-on token') + block('token') + block('token') };
    expect(plan(files).faults).toHaveLength(1);
    expect(plan({ 'a.http': block('use', 'depends-on nobody') }).faults).toEqual([
      {
        file: 'a.http',
        line: 2,
        message: '# @depends-on nobody: No other request of this run has that name.',
      },
    ]);
  });

  it('sends what one depends on in the order of its lines', () => {
    const files = { 'a.http': block('use', 'depends-on b', 'depends-on a') + block('a') + block('b') };
    expect(plan(files).names).toEqual(['b', 'a', 'use']);
  });

  it('says by way of which a circle comes about, and where', () => {
    const files = {
      'a.http': block('one', 'tag x', 'depends-on two') + block('two', 'depends-on one'),
    };
    expect(plan(files).faults).toEqual([
      {
        file: 'a.http',
        line: 3,
        message: "'one' depends on itself, by way of 'two': take one # @depends-on out.",
      },
    ]);
  });

  it('names, of several that one depends on, the one that leads back to it', () => {
    const files = {
      'a.http':
        block('start', 'depends-on one') +
        block('free') +
        block('one', 'depends-on free', 'depends-on two') +
        block('two', 'depends-on three') +
        block('three', 'depends-on one'),
    };
    expect(plan(files).faults.map(({ line, message }) => [line, message])).toEqual([
      [8, "'one' depends on itself, by way of 'two': take one # @depends-on out."],
    ]);
  });

  it('waits for each of several that give a value, and once for all that come after', () => {
    const files = {
      'a.http': [
        block('one', 'capture id = webhook id'),
        block('two', 'capture id = webhook id'),
        '### use\nGET http://a/{{ % id }}\n',
        '### again\nGET http://a/{{id}}\n',
        '### other\nGET http://a/{{a%id}}\n',
      ].join('\n'),
    };
    expect(plan(files).requests.map(({ waitsFor }) => waitsFor)).toEqual([[], [], [0, 1], [], []]);
  });

  it('keeps faults of files that are not run to itself, and those of a block unless it is skipped', () => {
    const files = {
      'a.http': '### one\n# @operation nonsense\nGET http://a/\n',
      'b.http': block('two', 'depends-on nobody'),
    };
    expect(plan(files, [], 'one').faults.map(({ file, line }) => [file, line])).toEqual([['a.http', 2]]);
    const beside = { 'a.http': block('one') + block('two', 'depends-on nobody', 'expect nothing') };
    expect(plan(beside, [], 'one').faults).toEqual([]);
    const skipped = '### one\n# @skip\n# @operation nonsense\nGET http://a/\n';
    expect(plan({ 'a.http': skipped }).faults).toEqual([]);
  });
});

describe('the directives of a request', () => {
  const directives = (...lines: string[]) => read({ 'a.http': block('one', ...lines) })[0]!.directives;

  it('stand in the order of their lines, captures among expectations', () => {
    const { expectations, faults } = directives(
      'capture a = body a',
      'expect status 200',
      'tag',
      'expect nonsense',
      'capture b',
      'expect body x exists',
    );
    expect(expectations.map(({ line, isCapture = false }) => [line, isCapture])).toEqual([
      [2, true],
      [3, false],
      [7, false],
    ]);
    expect(expectations[0]?.text).toBe('capture a = body a');
    expect(faults.map(({ line }) => line)).toEqual([4, 5, 6]);
  });

  it('wait for a webhook to capture from as long as the longest that is expected, else ten seconds', () => {
    const window = (...lines: string[]) => {
      const { expectations } = directives(...lines, 'capture id = webhook id');
      const { expectation } = expectations.find(({ isCapture }) => isCapture)!;
      return 'withinMs' in expectation ? expectation.withinMs : null;
    };
    expect(window()).toBe(10_000);
    expect(window('expect status 200')).toBe(10_000);
    expect(window('expect webhook within 2s', 'expect webhook within 30s', 'expect webhook within 1s')).toBe(
      30_000,
    );
    expect(window('expect time < 90000')).toBe(10_000);
  });

  it('name what has to pass before, and say so where they name nothing', () => {
    const { dependsOn, faults } = directives('depends-on a b', 'depends-on');
    expect(dependsOn).toEqual([{ name: 'a b', line: 2 }]);
    expect(faults).toEqual([{ line: 3, message: '# @depends-on needs a name behind it.' }]);
  });

  it('say why one is not sent', () => {
    expect([directives().skip, directives('skip').skip, directives('skip later').skip]).toEqual([
      null,
      'skipped by its file',
      'later',
    ]);
    expect([directives('disabled').skip, directives('only').isOnly, directives().isOnly]).toEqual([
      'disabled',
      true,
      false,
    ]);
  });
});

describe('what is missing before a run', () => {
  const missing = (
    text: string,
    variables: Record<string, string> = {},
    given: Record<string, string> = {},
  ) =>
    findMissingValues(foresee(plan({ 'a.http': text }), { variables, given }), {
      adviseOn: (name) => `give ${name}`,
    }).map(({ message }) => message);
  const ask = (url: string, ...lines: string[]) => block('one', ...lines).replace('http://a/', url);

  it('is nothing that the environment, the call, an earlier answer or the run itself gives', () => {
    expect(missing(ask('http://a/{{x}}'), { x: '1' })).toEqual([]);
    expect(missing(ask('http://a/{{x}}'), {}, { x: '1' })).toEqual([]);
    expect(missing(ask('http://a/{{last_reference}}'))).toEqual([]);
    expect(missing(ask('http://a/{{$uuid}}/{{$timestamp}}'))).toEqual([]);
    expect(missing(block('zero', 'capture x = body x') + ask('http://a/{{x}}'))).toEqual([]);
  });

  it('is not what is given and leads back to itself, or too deep: that is said of it', () => {
    const chain = Object.fromEntries(Array.from({ length: 7 }, (_, at) => [`v${at}`, `{{v${at + 1}}}`]));
    expect(missing(ask('http://a/{{a}}'), { a: '{{b}}', b: '{{a}}' })).toEqual([
      expect.stringMatching(/^\{\{a\}\} cannot be filled in: values lead back to themselves/),
    ]);
    expect(missing(ask('http://a/{{v0}}'), { ...chain, v7: '1' })).toEqual([
      expect.stringMatching(/^\{\{v0\}\} cannot be filled in: .* more than 5 deep/),
    ]);
  });

  it('is a token of a product that there is not, too', () => {
    const asking = (token: string): string =>
      ask('http://a').replace(/(GET .*)/, `$1\nAuthorization: Bearer {{${token}}}`);
    expect(missing(asking('token.payout'))).toEqual([]);
    expect(missing(asking('token.payouts'))).toEqual([
      expect.stringMatching(/^Nobody gives \{\{token\.payouts\}\}: Tokens .* write \{\{token\.payout\}\}/),
    ]);
    expect(missing(asking('token.payouts'), { 'token.payouts': 'own' })).toEqual([]);
  });

  it('is named once for each request, and not for what is skipped or is another client’s', () => {
    expect(missing(ask('http://a/{{x}}/{{y}}/{{x}}'))).toEqual(['Nobody gives {{x}}, {{y}}: give x.']);
    expect(missing(ask('http://a/{{x}}', 'skip'))).toEqual([]);
    expect(missing(ask('http://a/{{$processEnv HOME}}'))).toEqual([]);
    expect(missing(ask('http://a/{{x$}}'))).toEqual(['Nobody gives {{x$}}: give x$.']);
    const skip =
      ' Or leave the request out, with # @skip REASON in it, where the others use {{token.payout}} and the like.';
    for (const path of ['auth/v1/token', 'auth/v1/token/', 'oauth2/Access_Token?a=b', '{{p}}'])
      expect(missing(ask(`http://{{x}}/${path}`), { p: 'connect/token' })).toEqual([
        `Nobody gives {{x}}: give x.${skip}`,
      ]);
    for (const path of ['tokens/1', '{{token}}'])
      expect(missing(ask(`http://{{x}}/${path}`), { token: '1' })).toEqual(['Nobody gives {{x}}: give x.']);
  });
});
