import { expect, it } from 'vitest';
import { parseHttpFile } from '@shared/http-file/parse-http-file';
import type { RunPlan } from '@shared/run/plan-run';
import { readDirectives } from '@shared/run/read-directives';
import { sayNotes } from '../commands/run';

it('says what the files of a run ask for and is not done, each once with its places', () => {
  const read = (file: string, text: string) => ({
    request: {
      file,
      block: parseHttpFile(text).requests[0]!,
      directives: { captures: [], expectations: [] },
    },
  });
  const requests = [
    read('a.http', '# @retry 3\n# @sleep 5\n# @expect status 200\nGET http://h'),
    read('b.http', '# @retry 2\nGET http://h'),
  ];
  const told: string[] = [];
  sayNotes({ say: (text) => void told.push(text) }, { requests, faults: [] } as unknown as RunPlan);
  expect(told).toEqual([
    'a.http:1: `# @retry` is not known here, and nothing comes of it: a run takes `--retry N`. (and 1 more: b.http:1)',
    'a.http:2: Countersign does not wait before it sends this.',
  ]);
});

it('says of a capture that a value of the call goes before it, and of no other', () => {
  const text = '# @expect status 200\n# @capture id = body a\n# @capture other = body b\nGET http://h';
  const block = parseHttpFile(text).requests[0]!;
  const request = { file: 'a.http', block, directives: readDirectives(block) };
  const told: string[] = [];
  const plan = { requests: [{ request }], faults: [] } as unknown as RunPlan;
  sayNotes({ say: (line) => void told.push(line) }, plan, { other: '1', base_url: 'http://h' });
  expect(told).toEqual([
    'a.http:3: {{other}} is the one of the call (--var): what is captured here does not take its place.',
  ]);
});
