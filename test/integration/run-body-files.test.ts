import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { makeTemporaryFolder } from '../support/temporary';
import { runOnce } from './cli-once';

/** Runs three requests with one file in their bodies, which becomes another text while the first is answered. */
async function runWhileSaved(becomes: string, ...more: string[]) {
  const folder = makeTemporaryFolder('run-body-files');
  const bodies: string[] = [];
  const save = (body: string): void => writeFileSync(join(folder, 'body.json'), body);
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      bodies.push(body);
      save(becomes);
      response.end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  save('{"of":"main"}');
  for (const name of ['a', 'b', 'c'])
    writeFileSync(
      join(folder, `${name}.http`),
      `### ${name}\n# @expect status 200\nPOST {{base_url}}/x\n\n< ./body.json\n`,
    );
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const end = await runOnce(['run', '.', '--base-url', url, '--json', ...more], { cwd: folder });
  return { ...end, bodies };
}

it.each([['1'], ['4']])(
  'sends no request whose body has a file that was changed after the run began (%s jobs)',
  async (jobs) => {
    const { exitCode, bodies, json } = await runWhileSaved('{"of":"branch"}', '--jobs', jobs);
    expect([exitCode, bodies]).toEqual([2, ['{"of":"main"}']]);
    expect(json.at(-1)).toMatchObject({ passed: 1, not_sent: 2, interrupted: false });
    expect(json.at(-1)!['fault']).toMatch(/^'\.\/body\.json' was changed after the run began/);
  },
);

it('sends all of them where the file was saved as it is', async () => {
  const { exitCode, bodies, json } = await runWhileSaved('{"of":"main"}');
  expect([exitCode, bodies.length]).toEqual([0, 3]);
  expect(json.at(-1)).toMatchObject({ fault: null });
});
