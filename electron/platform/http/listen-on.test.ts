import { createServer, type AddressInfo, type Server } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { AppError } from '@shared/errors';
import { isReachedElsewhere } from '../../../test/support/other-addresses';
import { listenOn, rememberPort } from './listen-on';

const servers: Server[] = [];
const open = (): Server => {
  const server = createServer();
  servers.push(server);
  return server;
};
afterEach(async () => {
  for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve));
});
const anyPort = { port: 0, alternatives: 0 };

it('names the port that is taken, and what to do', async () => {
  const port = await listenOn(open(), 'web', anyPort);
  await expect(listenOn(open(), 'listener', { port, alternatives: 0 })).rejects.toMatchObject({
    code: 'listener.port_in_use',
    message: `Port ${port} is used by another program. Choose another port, or stop that program.`,
    details: { port },
  });
});

it.each([
  [
    4020,
    'EMFILE',
    'Port 4020 cannot be opened: too many files are open. Raise the limit (ulimit -n), and start again.',
  ],
  [
    0,
    'ENFILE',
    'No port can be opened: too many files are open on this machine. Close other programs, and start again.',
  ],
])('blames no port where too many files are open: %s, %s', async (port, code, message) => {
  const server = createServer();
  server.listen = () => {
    setImmediate(() => server.emit('error', Object.assign(new Error(code), { code })));
    return server;
  };
  const listened = listenOn(server, 'listener', { port, alternatives: 0 });
  await expect(listened).rejects.toMatchObject({ code: 'listener.port_refused', message });
});

it('takes a port soon after the one that is taken where it may', async () => {
  const port = await listenOn(open(), 'web', anyPort);
  const server = open();
  const other = await listenOn(server, 'sandbox', { port, alternatives: 20 });
  expect([server.listenerCount('listening'), server.listenerCount('error')]).toEqual([0, 1]);
  expect(other).toBeGreaterThan(port);
  expect(other).toBeLessThanOrEqual(port + 20);
});

it('takes any free port where those after it are taken, too', async () => {
  const port = await listenOn(open(), 'web', anyPort);
  for (let next = port + 1; next <= port + 3; next++) {
    await listenOn(open(), 'web', { port: next, alternatives: 0 }).catch(() => undefined);
  }
  const other = await listenOn(open(), 'sandbox', { port, alternatives: 3 });
  expect(other < port || other > port + 3).toBe(true);
});

it('is bound to the loopback interface alone', async () => {
  const server = open();
  const port = await listenOn(server, 'web', anyPort);
  expect((server.address() as AddressInfo).address).toBe('127.0.0.1');
  expect(await isReachedElsewhere(port)).toBe(false);
});

it('remembers the port that a server got, and says when it is another one', () => {
  const values = new Map<string, unknown>();
  const settings = { get: (key: string) => values.get(key), set: values.set.bind(values) as never };
  const memory = rememberPort(settings, 'listener.port', 4020);
  expect(memory.choose(undefined)).toEqual({ port: 4020, alternatives: 20 });
  expect(memory.choose(5001)).toEqual({ port: 5001, alternatives: 0 });
  expect(memory.keep(memory.choose(undefined), 4020)).toBeNull();
  expect(memory.keep(memory.choose(undefined), 4022)).toContain('4020 is used by another program');
  expect(memory.choose(undefined).port).toBe(4022);
  values.set('listener.port', 'x');
  expect(memory.choose(undefined).port).toBe(4020);
});

it('says of a port that cannot be kept that it is not remembered', () => {
  const settings = {
    get: () => 4020,
    set: () => {
      throw new AppError('platform.disk_full', 'The disk is full.');
    },
  };
  const memory = rememberPort(settings, 'listener.port', 4020);
  expect(memory.keep(memory.choose(undefined), 4020)).toBeNull();
  expect(memory.keep(memory.choose(undefined), 4022)).toBe(
    'It listens on port 4022, which is not remembered: The disk is full.',
  );
});
