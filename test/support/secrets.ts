import { generateKeyPairSync, randomBytes, type KeyObject } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Secrets of a test's own making, each found in any form in which a slip may let it out. */
export interface Sentinels {
  consumerKey: string;
  consumerSecret: string;
  passphrase: string;
  token: string;
  privateKeyPem: string;
  /** Byte sequences to search for, by the secret they betray and the form they have. */
  readonly traces: Map<string, Buffer>;
  /** Adds a secret that came up later (a token that the sandbox issued). */
  add(name: string, value: string): void;
  /** Adds a private key that the app made. */
  addKey(name: string, privateKey: KeyObject): void;
}

/** Where a secret was found. */
export interface Finding {
  secret: string;
  where: string;
}

/** Makes fresh secrets to put into the app; then search all that leaves it with {@link findSentinels}. */
export function plantSentinels(): Sentinels {
  const unique = (prefix: string): string => `${prefix}-${randomBytes(18).toString('hex')}`;
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const traces = new Map<string, Buffer>();
  const add = (name: string, value: string): void => addTextTraces(traces, name, value);
  const addKey = (name: string, key: KeyObject): void => addKeyTraces(traces, name, key);
  const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const sentinels = {
    consumerKey: unique('ck'),
    consumerSecret: unique('cs'),
    passphrase: unique('pass phrase'),
    token: `${part({ alg: 'RS256' })}.${part({ sub: unique('sub') })}.${randomBytes(64).toString('base64url')}`,
    privateKeyPem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    traces,
    add,
    addKey,
  };
  for (const name of ['consumerKey', 'consumerSecret', 'passphrase', 'token'] as const)
    add(name, sentinels[name]);
  addKey('private key', privateKey);
  return sentinels;
}

/** Searches text, bytes, or every file below a folder. @returns each secret that was found, with its form and place */
export function findSentinels(
  { traces }: Pick<Sentinels, 'traces'>,
  source: { directory: string } | { text: string | Uint8Array; name?: string },
): Finding[] {
  if ('directory' in source) {
    return listFiles(source.directory).flatMap((file) => search(traces, readFileSync(file), file));
  }
  return search(traces, Buffer.from(source.text as string), source.name ?? 'text');
}

function search(traces: ReadonlyMap<string, Buffer>, bytes: Buffer, where: string): Finding[] {
  return [...traces].filter(([, trace]) => bytes.includes(trace)).map(([secret]) => ({ secret, where }));
}

function listFiles(directory: string): string[] {
  if (!existsSync(directory)) return [];
  return readdirSync(directory).flatMap((name) => {
    const path = join(directory, name);
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return [];
    return stats.isDirectory() ? listFiles(path) : [path];
  });
}

function addTextTraces(traces: Map<string, Buffer>, name: string, value: string): void {
  traces.set(`${name} as text`, Buffer.from(value, 'utf8'));
  traces.set(`${name} as JSON`, Buffer.from(JSON.stringify(value).slice(1, -1), 'utf8'));
  traces.set(`${name} in a URL`, Buffer.from(encodeURIComponent(value), 'utf8'));
  traces.set(`${name} in UTF-16`, Buffer.from(value, 'utf16le'));
  addByteTraces(traces, name, Buffer.from(value, 'utf8'));
}

function addKeyTraces(traces: Map<string, Buffer>, name: string, privateKey: KeyObject): void {
  const jwk = privateKey.export({ format: 'jwk' });
  // Without the first byte: a DER integer may put a zero before it, and Base64 starts anywhere.
  for (const [part, value] of [
    ['d', jwk.d],
    ['p', jwk.p],
    ['q', jwk.q],
  ] as const) {
    addByteTraces(traces, `${name} (${part})`, Buffer.from(value!, 'base64url').subarray(1));
  }
}

/** Raw, in hex, and in Base64 at each of the three places where it may begin in a longer text. */
function addByteTraces(traces: Map<string, Buffer>, name: string, bytes: Buffer): void {
  const part = bytes.subarray(0, 24);
  traces.set(`${name} as bytes`, part);
  traces.set(`${name} in hex`, Buffer.from(part.toString('hex')));
  traces.set(`${name} in upper-case hex`, Buffer.from(part.toString('hex').toUpperCase()));
  for (const offset of [0, 1, 2]) {
    const whole = Buffer.concat([Buffer.alloc(offset), part])
      .toString('base64')
      .replace(/=+$/, '');
    // The first and last characters mix with their neighbours; line breaks may fall anywhere, so a short run is enough.
    const run = whole.slice(offset === 0 ? 0 : 4, 28);
    traces.set(`${name} in Base64 (${offset})`, Buffer.from(run));
    traces.set(
      `${name} in URL-safe Base64 (${offset})`,
      Buffer.from(run.replaceAll('+', '-').replaceAll('/', '_')),
    );
  }
}
