import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { inboxMigrations } from '../../electron/listener/inbox-schema';
import { WebhookWriter } from '../../electron/listener/webhook-writer';
import { openDatabase } from '../../electron/platform/database/database';
import { payoutBlock, startCountingService } from '../support/counting-service';
import { makeTemporaryFolder } from '../support/temporary';
import { runOnce } from './cli-once';

const forged = 'x\n✓ forged  201\u001b[2K';
const env = { COUNTERSIGN_TOKEN: 'token-of-the-lines' };
const startsOf = (text: string): string[] => text.split('\n').map((line) => line.slice(0, 8));

it('run writes no line that an answer or the name of a file has made up', async () => {
  const folder = makeTemporaryFolder('forged');
  const service = await startCountingService();
  service.answer = () => ({
    httpStatus: 400,
    body: { status: forged, code: forged, description: forged, errors: [{ field: forged, message: forged }] },
  });
  const directory = join(folder, 'a\n✓ forged');
  mkdirSync(directory);
  writeFileSync(join(directory, 'a.http'), payoutBlock('pay', ['expect status 201']));
  const { stdout, stderr } = await runOnce(['run', join(directory, 'a.http'), '--base-url', service.url], {
    cwd: folder,
    env,
  });
  expect(stdout).toContain('\\n✓ forged');
  expect(startsOf(stdout + stderr)).not.toContain('✓ forged');
  expect(stdout + stderr).not.toContain('\u001b');
  await service.close();
});

it('inbox show writes path and headers a line each, whatever a store holds', async () => {
  const data = makeTemporaryFolder('forged-inbox');
  const database = openDatabase({ file: join(data, 'inbox.db'), migrations: inboxMigrations });
  const head = Buffer.from(`POST /h\n✓ forged HTTP/1.1\r\nHost: x\r\nX-A: one\n✓ forged`);
  const facts = { receivedAt: Date.now(), respondedStatus: 200, remoteAddress: '127.0.0.1' };
  new WebhookWriter(database).write(
    [{ ...facts, rule: null, fullBytes: null, head, body: Buffer.from('{}') }],
    Date.now(),
  );
  database.close();
  const list = await runOnce(['inbox', 'list', '--data', data]);
  expect(list.stdout.trimEnd().split('\n')).toHaveLength(1);
  const shown = await runOnce(['inbox', 'show', list.stdout.split(' ')[0]!, '--data', data]);
  expect(shown.stdout).toContain('X-A: one\\n✓ forged\n');
  expect(startsOf(shown.stdout)).not.toContain('✓ forged');
});
