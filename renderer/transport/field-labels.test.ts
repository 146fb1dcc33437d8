import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { contract, type MethodName } from '@shared/contract/contract';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { call, setTransport } from './client';
import { createFakeTransport } from './fake';
import { fieldLabels } from './field-labels';

const rows = Object.entries(fieldLabels).flatMap(([method, labels]) =>
  Object.entries(labels).map(([field, label]) => ({ method: method as MethodName, field, label })),
);

type Schema = z.core.JSONSchema.BaseSchema;

/** Follows a path through every form that a call may have. */
function hasField(schema: Schema | boolean | undefined, [name, ...rest]: readonly string[]): boolean {
  if (typeof schema !== 'object') return false;
  const forms = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])] as Schema[];
  if (name === undefined) return true;
  if (forms.some((form) => hasField(form, [name, ...rest]))) return true;
  const next = /^\d+$/.test(name) ? schema.items : schema.properties?.[name];
  return hasField(next as Schema | undefined, rest);
}

describe('labels of fields', () => {
  const folder = resolve('renderer/features');
  const texts = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /(?<!\.test)\.tsx?$/.test(name))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n');

  it.each(rows)('$method: $field is a field of the call, and “$label” stands on the screen', (row) => {
    const input = z.toJSONSchema(contract[row.method].input, { io: 'input', unrepresentable: 'any' });
    expect(hasField(input as Schema, row.field.split('.'))).toBe(true);
    expect(texts).toContain(row.label);
  });
});

describe('a call that is refused for what was typed', () => {
  const refuse = async (method: 'forwarding.set' | 'inbox.list', message: string): Promise<string> => {
    const error = { code: 'app.bad_input' as const, message, details: {}, retryable: false };
    const fake = createFakeTransport({});
    setTransport({ ...fake, call: () => Promise.resolve({ ok: false, error }) });
    const refused = method === 'inbox.list' ? call(method, {}) : call(method, { url: '', isOn: true });
    return refused.then(
      () => 'not refused',
      (caught: unknown) => (caught as Error).message,
    );
  };

  it('names the label that stands beside the field', async () => {
    const said = await refuse(
      'forwarding.set',
      "'url' is too long: it may have 2000 characters. Shorten it.",
    );
    expect(said).toBe('“Address” is too long: it may have 2000 characters. Shorten it.');
  });

  it('leaves what is no field of the screen as it is', async () => {
    const message = "'limit' is too large: it may be 500 at most.";
    expect(await refuse('inbox.list', message)).toBe(message);
    const other = 'forwarding.set was called with something it cannot use.';
    expect(await refuse('forwarding.set', other)).toBe(other);
  });
});
