import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { validateInitiation } from '../payments/validate-fields';
import { createDynamicValues } from './dynamic-values';
import { parseHttpFile } from './parse-http-file';
import { resolveRequest } from './resolve-request';

const root = resolve(import.meta.dirname, '../../resources/starter/Payments API');
const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) =>
  path.endsWith('.http'),
);
const initiations = ['remittance', 'payout', 'collection'] as const;
const variables = {
  base_url: 'http://127.0.0.1:4010',
  callback_url: 'http://127.0.0.1:4020/',
  last_reference: 'R-1',
};
const random = {
  uuid: () => crypto.randomUUID(),
  bytes: (count: number) => crypto.getRandomValues(new Uint8Array(count)),
};

describe('the starter collection', () => {
  it.each(files)('%s reads, resolves and passes the checks of the interface', (path) => {
    const file = parseHttpFile(readFileSync(join(root, path), 'utf8'));
    expect(file.faults).toEqual([]);
    const [request] = file.requests;
    expect(request?.name).toBe(basename(path, '.http'));
    const resolved = resolveRequest(request!, {
      variables,
      dynamic: createDynamicValues({ now: () => Date.now(), random }),
    });
    expect(resolved.unresolved).toEqual([]);
    if (resolved.body === null) return;
    const body: unknown = JSON.parse(resolved.body);
    const initiation = initiations.find((one) => one === request!.operation);
    if (initiation !== undefined) expect(validateInitiation(initiation, body)).toEqual([]);
  });

  it('has every operation but the token', () => {
    const operations = files.map(
      (path) => parseHttpFile(readFileSync(join(root, path), 'utf8')).requests[0]?.operation,
    );
    expect(new Set(operations)).toEqual(
      new Set(['remittance', 'payout', 'collection', 'status', 'balances', 'send_test']),
    );
  });
});
