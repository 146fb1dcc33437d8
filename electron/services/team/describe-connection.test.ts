import { expect, it } from 'vitest';
import { readStoreAddress } from '../../listener/postgres/store-address';
import { describeConnection } from './describe-connection';
import type { OpenedInbox } from './open-team-inbox';

const opened = {
  address: readStoreAddress('postgres://ann@127.0.0.1/inbox', {}),
  tls: null,
  user: 'ann',
  mayMark: true,
  server: { remarks: [], isStandby: false },
} as unknown as OpenedInbox;

it('promises no marks on a standby, and repeats what else was found of the server', () => {
  expect(describeConnection(opened)[1]).toMatchObject({ tone: 'good' });
  const facts = describeConnection({ ...opened, server: { remarks: ['Slow.'], isStandby: true } });
  expect(facts.slice(1)).toEqual([
    {
      tone: 'warn',
      text: expect.stringMatching(/^ann may read, but the server is a standby: .*primary server\.$/),
    },
    { tone: 'warn', text: 'Slow.' },
  ]);
});
