import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Below the ports that Linux (32768), macOS and Windows (49152) give to whoever asks for any: a server of another test that had such
 * a port is gone, and what some sandbox still delivers to it would reach whoever is given it next.
 */
const PORTS = { from: 16_384, below: 32_768 } as const;
const MOST_TRIES = 100;

/**
 * A port of 127.0.0.1 on which nothing listens at present, and which no server that asked for any port has had.
 *
 * @throws Error where a hundred tries find none
 */
export async function findFreePort(): Promise<number> {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const port = randomInt(PORTS.from, PORTS.below);
    if (await isFree(port)) return port;
  }
  throw new Error(`None of ${MOST_TRIES} ports from ${PORTS.from} to ${PORTS.below} is free.`);
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}
