import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { getPriority, setPriority, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

export interface LoadOptions {
  port: number;
  /** Raw HTTP/1.1 messages, head and body; sent in turn, from the start again where they run out. */
  requests: readonly Uint8Array[];
  connections?: number;
  /** Milliseconds of the same load before anything is counted. */
  warmUpMs?: number;
  /** So many requests before anything is counted: client and server run at their pace by then. */
  warmUpTotal?: number;
  /** Either so many answers, or as many as come in `durationMs`. */
  total?: number;
  durationMs?: number;
  /** How far the load gives way to the process that starts it, 0 to 19; 0 where left out. */
  niceness?: number;
}

export interface LoadResult {
  answers: number;
  elapsedMs: number;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** Answers by HTTP status. */
  statuses: Record<string, number>;
  /** Connections that broke. */
  errors: number;
}

/** Builds one raw request for {@link runLoad}; `Host` and `Content-Length` are added. */
export function rawRequest(
  method: string,
  path: string,
  headers: readonly (readonly [string, string])[],
  body: string | Uint8Array = '',
): Uint8Array {
  const bytes = Buffer.from(body as string);
  const head = [
    `${method} ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    ...headers.map(([name, value]) => `${name}: ${value}`),
    `Content-Length: ${bytes.length}`,
  ];
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), bytes]);
}

/**
 * Loads a server from a process of its own: keep-alive connections, one request in flight on each.
 *
 * Run from the repository's root, as `npm run bench` and the tests do.
 */
export async function runLoad(options: LoadOptions): Promise<LoadResult> {
  const {
    requests,
    connections = 50,
    warmUpMs = 0,
    warmUpTotal = 0,
    total,
    durationMs = 2000,
    port,
    niceness = 0,
  } = options;
  const directory = mkdtempSync(join(tmpdir(), 'countersign-load-'));
  try {
    const requestsFile = join(directory, 'requests.bin');
    const ordersFile = join(directory, 'orders.json');
    writeFileSync(requestsFile, Buffer.concat(requests.flatMap(withLength)));
    writeFileSync(
      ordersFile,
      JSON.stringify({ port, connections, warmUpMs, warmUpTotal, total, durationMs, requestsFile }),
    );
    const client = resolve('test/support/load-client.mjs');
    const run = promisify(execFile)(process.execPath, [client, ordersFile], { maxBuffer: 1024 * 1024 });
    if (niceness > 0 && run.child.pid !== undefined)
      setPriority(run.child.pid, Math.min(19, getPriority() + niceness));
    const { stdout } = await run;
    return JSON.parse(stdout) as LoadResult;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function withLength(request: Uint8Array): Uint8Array[] {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(request.length);
  return [length, request];
}
