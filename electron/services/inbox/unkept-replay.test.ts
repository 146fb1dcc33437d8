import { expect, it } from 'vitest';
import { AppError } from '@shared/errors';
import { formatSortableId } from '../../platform/sortable-id';
import type { InboxDeps } from './inbox-deps';
import { createInboxHandlers } from './inbox-handlers';
import type { InboxSource } from './inbox-source';

const id = formatSortableId(1);
const input = {
  id,
  to: 'http://127.0.0.1:3000/hooks',
  edits: [],
  body: null,
  isResigned: false,
  timeoutMs: 1000,
  isTrial: false,
  store: 'local',
};
const timings = {
  queueMs: null,
  dnsMs: null,
  connectMs: null,
  tlsMs: null,
  firstByteMs: null,
  downloadMs: null,
  totalMs: 5,
};

/** @param roomFor - so many rows find room on the disk */
function serve(roomFor: number, http: InboxDeps['ports']['http']) {
  let rows = 0;
  const source = {
    getBytes: () => ({
      head: Buffer.from('POST /hooks HTTP/1.1\r\nHost: a\r\n\r\n'),
      body: Buffer.from('{}'),
    }),
    keepReplay() {
      if (rows >= roomFor) throw new AppError('platform.disk_full', 'No space is left.');
      return (rows += 1);
    },
  } as unknown as InboxSource;
  const ports = {
    http,
    clock: { now: () => 0 },
    random: { uuid: () => 'a-b' },
    logger: { log: () => undefined },
  };
  const access = { file: '', find: async () => source };
  return createInboxHandlers(access, { ports, listProduction: async () => [] } as unknown as InboxDeps)[
    'inbox.replay'
  ](input);
}

it('gives the answer to a replay that cannot be kept, as one that failed would be sent again', async () => {
  const http = async () => ({ httpStatus: 204, headers: [], body: Buffer.alloc(0), isCut: false, timings });
  await expect(serve(1, http)).resolves.toMatchObject({ replay: { httpStatus: 204 } });
});

it('says why no answer came, kept or not, and sends nothing that cannot be kept at all', async () => {
  let calls = 0;
  const http = async () => {
    calls += 1;
    throw new AppError('sending.timeout', 'It did not answer.');
  };
  await expect(serve(1, http)).rejects.toThrow('It did not answer.');
  await expect(serve(0, http)).rejects.toThrow('No space is left.');
  expect(calls).toBe(1);
});
