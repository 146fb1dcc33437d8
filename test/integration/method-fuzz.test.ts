import { existsSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import type { z } from 'zod';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { contract, type MethodName, type MethodOutput } from '@shared/contract/contract';
import { openWebHost } from '../support/contract-clients';
import { countMalformedCalls } from '../support/effort';

const CALLS = countMalformedCalls(1500);
/** All of them take half an hour of a machine that does something else, too. */
const TIME_MS = 3_600_000;
const SEED = 20_260_101;
/** What takes long is asked less often. */
const RARE: Partial<Record<MethodName, number>> = {
  'keys.generate': 3,
  'sandbox.reset': 5,
  // Waits for the sandbox's log first.
  'golive.report': 20,
};
/** As a page and its panes do, several calls are under way at once. */
const CLIENTS = 8;
/** What shuts the door on the others is asked in the last rounds alone. */
const LATE: readonly MethodName[] = [
  'collections.close',
  'credentials.delete',
  'environments.delete',
  'keys.delete',
  'sandbox.setFaults',
  'sandbox.stop',
  'vault.lock',
  'vault.setPassphrase',
];
const LATE_ROUNDS = 8;

type Host = Awaited<ReturnType<typeof openWebHost>>;
let host: Host;
/** Values that name something here, by the property that takes them. */
let known: Readonly<Record<string, readonly unknown[]>> = {};

beforeAll(async () => {
  host = await openWebHost();
  const ask = async <M extends MethodName>(method: M, input: object = {}): Promise<MethodOutput<M>> => {
    const reply = await host.call(method, input);
    if (!reply.ok) throw new Error(`${method}: ${reply.error.message}`);
    return reply.value as MethodOutput<M>;
  };
  const collectionId = (await ask('collections.list')).activeId!;
  const { keys } = await ask('keys.list');
  const { baseUrl } = await ask('sandbox.status');
  const paths = JSON.stringify(await ask('collections.tree', { collectionId })).match(/[^"]+\.http/g) ?? [];
  known = {
    collectionId: [collectionId],
    environment: ['local'],
    name: ['local'],
    path: [...new Set(paths)],
    keyId: keys.map(({ id }) => id),
    id: keys.map(({ id }) => id),
    publicKeyPem: keys.map(({ publicKeyPem }) => publicKeyPem),
    url: [`${baseUrl}/payments/v1/payout`, `${baseUrl}/payments/v1/status`, `${baseUrl}/x`],
    method: ['POST', 'GET'],
    body: [
      '{"transaction":{"reference":"R-1","amount":1000,"service_code":"S"},"originator":{"country":"KE"}}',
      '{"transaction":{"reference":"abc\\u0000def","amount":1e999,"service_code":"\\ud800"},"originator":{"country":"KE"}}',
      '{"transaction":null}',
    ],
    signature: ['AAAA'.repeat(85) + 'AA==', 'ab'.repeat(256), 'x'],
    headers: [
      [['Content-Type', 'application/json']],
      [['X-A', 'a\r\nb']],
      [['', '']],
      [['Authorization', '{{token.payout}}']],
    ],
  };
}, 120_000);
afterAll(async () => {
  await host.stop();
  host.removeData();
});

/** Texts that broke something somewhere, and texts that mean something here; no address but closed ports. */
const text = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    'local',
    'main',
    'payout',
    'abc\0def',
    '\ud800',
    '__proto__',
    'constructor',
    '../..',
    '/nonexistent/a\0b',
    'C:\\x',
    'a.http',
    'http://127.0.0.1:9/x',
    'http://[::1',
    'javascript:alert(1)',
    '{"transaction":{"reference":"R","amount":1e999}}',
    '{{a}}{{$uuid}}',
    '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----',
    '-----BEGIN PUBLIC KEY-----\n\n-----END PUBLIC KEY-----',
    'AAAA',
    '00000000000',
    'zzzzzzzzzzz',
    '٣',
    '\u202e',
    '0'.repeat(500),
    'é'.repeat(3000),
    '['.repeat(20_000),
    '%00%ff',
    'a" OR 1=1; --',
    '"',
    '* AND ^',
  ),
  fc.string({ maxLength: 30, unit: 'binary' }),
);
const number = fc.oneof(
  fc.constantFrom(0, 1, -1, 2, 100, 500, 4096, 65_535, 2 ** 31, 2 ** 53, -(2 ** 53), 1e308, 0.5, Number.NaN),
  fc.integer(),
);

/** Draws what a schema takes, most of the time. */
function drawOf(schema: z.ZodType): fc.Arbitrary<unknown> {
  const { def } = schema as unknown as { def: Record<string, unknown> & { type: string } };
  const inner = (): fc.Arbitrary<unknown> => drawOf(def['innerType'] as z.ZodType);
  switch (def.type) {
    case 'object':
      return fc.record(
        Object.fromEntries(
          Object.entries(def['shape'] as Record<string, z.ZodType>).map(([name, one]) => [
            name,
            drawNamed(name, drawOf(one)),
          ]),
        ),
      );
    case 'array':
      return fc.array(drawOf(def['element'] as z.ZodType), { maxLength: 3 });
    case 'tuple':
      return fc.tuple(...(def['items'] as z.ZodType[]).map(drawOf));
    case 'record':
      return fc.dictionary(text, drawOf(def['valueType'] as z.ZodType), { maxKeys: 3 });
    case 'optional':
    case 'default':
    case 'prefault':
      return fc.oneof(fc.constant(undefined), inner());
    case 'nullable':
      return fc.oneof(fc.constant(null), inner());
    case 'union':
      return fc.oneof(...(def['options'] as z.ZodType[]).map(drawOf));
    case 'enum':
      return fc.constantFrom(...Object.values(def['entries'] as object));
    case 'literal':
      return fc.constantFrom(...(def['values'] as unknown[]));
    case 'boolean':
      return fc.boolean();
    case 'number':
    case 'int':
      return number.map((value) => fit(schema as unknown as z.ZodNumber, value));
    case 'string':
      return text;
    default:
      return fc.jsonValue();
  }
}

function drawNamed(name: string, draw: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const values = known[name] ?? [];
  if (values.length === 0) return draw;
  return fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...values) }, { weight: 1, arbitrary: draw });
}

/** Brings most numbers into the range of the schema: refusing the others is the router's own work. */
function fit({ minValue, maxValue }: z.ZodNumber, value: number): number {
  const low = minValue ?? value;
  const high = maxValue ?? value;
  return Math.abs(value) % 5 === 0 ? value : Math.round(Math.min(high, Math.max(low, value)));
}

/** Tells whether a method says in the contract that it may answer so. */
function isDeclared(method: MethodName, code: string): boolean {
  const [area] = code.split('.');
  const { errors }: { errors: readonly string[] } = contract[method];
  return [...errors, 'app.*', 'platform.*', 'worker.*'].some((one) => one === code || one === `${area}.*`);
}

/** A line of a stack: where in our code something failed is for the log alone. */
const STACK = /\\n\s+at |node_modules/;
const anything = fc.oneof(fc.anything({ maxDepth: 2 }), fc.constantFrom(null, [], 'x', 0, Number.NaN));

/** Draws every method's inputs anew in each round; drawing is slow, so the draws of a method are made once. */
function* drawCalls(
  methods: readonly MethodName[],
  each: number,
): Generator<[MethodName, unknown], undefined> {
  const draws = new Map(methods.map((method) => [method, drawOf(contract[method].input)]));
  for (let round = 0; round < each; round++) {
    for (const method of methods) {
      if (round >= (RARE[method] ?? each)) continue;
      if (LATE.includes(method) && round < each - LATE_ROUNDS) continue;
      const draw = round % 10 === 9 ? anything : draws.get(method)!;
      yield [method, fc.sample(draw, { seed: SEED + round, numRuns: 1 })[0]];
    }
  }
}

it('answers any input of any method, and fails as it declares alone', { timeout: TIME_MS }, async () => {
  const methods = Object.keys(contract) as MethodName[];
  const failed: string[] = [];
  const each = Math.ceil(CALLS / methods.length);
  let count = 0;
  const client = async (calls: Iterator<[MethodName, unknown]>): Promise<void> => {
    for (let next = calls.next(); !next.done; next = calls.next()) {
      const [method, input] = next.value;
      const reply = await host.call(method, input);
      count += 1;
      if (reply.ok) continue;
      const { code } = reply.error;
      if (code === 'app.internal' || !isDeclared(method, code) || STACK.test(JSON.stringify(reply))) {
        failed.push(`${method} ${code} ${JSON.stringify(input)?.slice(0, 300)}`);
      }
    }
  };
  const calls = drawCalls(methods, each);
  await Promise.all(Array.from({ length: CLIENTS }, () => client(calls)));
  expect(count).toBeGreaterThan(CALLS * 0.9);
  expect(failed).toEqual([]);
  const status = await host.call('app.status', {});
  expect(status).toMatchObject({ ok: true });
});

it(
  'refuses bodies that are no call, of any bytes and depth, and keeps none of them',
  { timeout: TIME_MS },
  async () => {
    const bodies = fc.oneof(
      fc.uint8Array({ maxLength: 200 }).map((bytes) => Uint8Array.from(bytes)),
      fc.json().map((text) => text.slice(0, -1)),
      fc.jsonValue().map((value) => JSON.stringify(value)),
      fc.constantFrom(
        '['.repeat(100_000),
        '{"method":'.repeat(10_000),
        '\0',
        '\ufeff{}',
        '{"method":"app.status","input":[1e999]}',
      ),
      fc.anything({ maxDepth: 2 }).map((input) => JSON.stringify({ method: 'settings.update', input }) ?? ''),
    );
    const before = readMemory();
    for (const body of fc.sample(bodies, { seed: SEED, numRuns: Math.ceil(CALLS / 5) })) {
      const answer = await host.post(body);
      const text = await answer.text();
      if (answer.status >= 500 || /app\.internal/.test(text) || STACK.test(text))
        expect([String(body), text]).toEqual([]);
    }
    expect(readMemory() - before).toBeLessThan(150);
    expect(await host.call('app.status', {})).toMatchObject({ ok: true });
  },
);

/** MiB that the host has in memory; 0 where the system does not tell. */
function readMemory(): number {
  const file = `/proc/${host.pid}/status`;
  return existsSync(file) ? Number(/VmRSS:\s+(\d+)/.exec(readFileSync(file, 'utf8'))![1]) / 1024 : 0;
}
