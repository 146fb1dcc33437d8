import { createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { checkServer, openStorePool, type StorePool } from './connect-postgres';
import { readStoreAddress } from './store-address';

const ready = Buffer.from('5a0000000549', 'hex');
const signedIn = Buffer.concat([Buffer.from('520000000800000000', 'hex'), ready]);
const message = (type: string, length: number, body: Buffer): Buffer => {
  const head = Buffer.alloc(5);
  head.write(type, 'latin1');
  head.writeUInt32BE(length, 1);
  return Buffer.concat([head, body]);
};
/** One column of text, named `x`. */
const columns = message('T', 26, Buffer.from('0001780000000000000000000019ffffffffffff0000', 'hex'));
const value = Buffer.concat([Buffer.from('000100010000', 'hex'), Buffer.alloc(65_536, 'x')]);

/** What a hostile server goes on sending, and what it begins with. */
const floods: Record<string, { first: Buffer; again: Buffer }> = {
  rows: { first: columns, again: message('D', value.length + 4, value) },
  'one message': { first: message('D', 0x7fffffff, Buffer.alloc(0)), again: Buffer.alloc(65_536, 'x') },
  notices: {
    first: Buffer.alloc(0),
    again: message('N', 65_542, Buffer.concat([Buffer.alloc(65_536, 'x'), Buffer.alloc(2)])),
  },
};

async function writeInPieces(socket: Socket, bytes: Buffer, size: number): Promise<void> {
  socket.setNoDelay(true);
  for (let at = 0; at < bytes.length; at += size) {
    socket.write(bytes.subarray(at, at + size));
    await new Promise((done) => setTimeout(done, 2));
  }
}

let end: (() => Promise<void>) | null = null;
afterEach(() => end?.());

/** Stands for PostgreSQL: signs whoever comes in, and answers the second statement without end. */
async function openFlooding(
  { first, again }: { first: Buffer; again: Buffer },
  isBeforeSignIn: boolean,
  pieces = 0,
): Promise<StorePool> {
  const sockets = new Set<Socket>();
  let sent = 0;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    const flood = (): void => {
      while (!socket.destroyed && (sent += again.length) < 400 * 1024 * 1024) {
        if (!socket.write(again)) return void socket.once('drain', flood);
      }
    };
    let asked = 0;
    socket.on('data', () => {
      asked += 1;
      if (asked === 1 && !isBeforeSignIn) socket.write(signedIn);
      else if (asked === 2 && !isBeforeSignIn)
        socket.write(Buffer.concat([message('C', 8, Buffer.from('SET\0')), ready]));
      else if (asked !== 3 && !isBeforeSignIn) return;
      else if (pieces > 0) void writeInPieces(socket, first, pieces);
      else socket.write(first, again.length > 0 ? flood : undefined);
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const address = readStoreAddress(`postgres://me@127.0.0.1:${port}/x?sslmode=disable`, {});
  const pool = openStorePool(address, {}, { applicationName: 'test', most: 1, statementMs: 20_000 });
  end = async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await pool.end();
  };
  return pool;
}

it.each([
  ['rows', 'as an answer'],
  ['one message', 'as an answer'],
  ['notices', 'as an answer'],
  ['one message', 'before it lets anybody in'],
  ['notices', 'before it lets anybody in'],
])('leaves a store that sends %s without end %s at a limit, and says so', async (what, when) => {
  const pool = await openFlooding(floods[what]!, when !== 'as an answer');
  const before = process.memoryUsage().arrayBuffers;
  await expect(checkServer(pool, false)).rejects.toMatchObject({
    code: 'store.failed',
    message: expect.stringMatching(/more than 64 MiB.*was ended\. Check that the address/) as string,
  });
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(300 * 1024 * 1024);
});

const broken: Record<string, Buffer> = {
  'an error without an end': message('E', 8, Buffer.from('MxyZ')),
  'an error whose last text ends, and not the error': message('E', 8, Buffer.from('Mxy\0')),
  'a notice of nothing': message('N', 4, Buffer.alloc(0)),
  'a row of fewer than no columns': message('D', 6, Buffer.from('ffff', 'hex')),
  'a row that is shorter than it says': message('D', 6, Buffer.from('0005', 'hex')),
  'a message shorter than its head': message('Z', 2, Buffer.alloc(0)),
  'another protocol': Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n'),
};

describe.each([
  ['as an answer', false],
  ['before it lets anybody in', true],
])('what PostgreSQL never says, %s', (_when, isBefore) => {
  it.each(Object.entries(broken))(
    '%s is refused, and neither ends nor holds the process',
    async (_what, first) => {
      const pool = await openFlooding({ first, again: Buffer.alloc(65_536, 'x') }, isBefore);
      await expect(checkServer(pool, false)).rejects.toMatchObject({ code: 'store.failed' });
    },
  );
});

it.each([1, 2, 3, 7])('hears what a server says is wrong, in pieces of %i bytes', async (size) => {
  const refused = message('E', 19, Buffer.from('SERROR\0C28P01\0\0'));
  const pool = await openFlooding({ first: refused, again: Buffer.alloc(0) }, true, size);
  await expect(checkServer(pool, false)).rejects.toMatchObject({ code: 'store.refused' });
});
