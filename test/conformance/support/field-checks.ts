import { expect } from 'vitest';
import { MISSING, payout, remittance, withChanges, collection, type Body } from '../../support/bodies';
import { paths, signText, stringToSign, type Answer, type Service } from './service-client';

const makers = { remittance, payout, collection } as const;
export type Operation = keyof typeof makers;

/** What a field takes and what it refuses. */
export interface FieldCases {
  required: boolean;
  good?: readonly unknown[];
  bad?: readonly unknown[];
  /** Other fields to set first. */
  beside?: Readonly<Record<string, unknown>>;
}

const NOT_TEXT: readonly unknown[] = [1, true, null, [], {}];

async function send(service: Service, operation: Operation, body: Body): Promise<Answer> {
  const headers: Record<string, string> = await service.bearer(operation);
  if (operation !== 'collection') headers['x-custom-signature'] = signText(stringToSign(body));
  return service.post(paths[operation], body, headers);
}

function fieldsOf(answer: Answer): string[] {
  const errors = (answer.json?.data?.field_errors ?? []) as { field: string }[];
  return errors.map((error) => error.field);
}

/** Shows that a field is refused, alone and by its path. */
async function expectRefused(
  service: Service,
  operation: Operation,
  path: string,
  body: Body,
  value: unknown,
) {
  const answer = await send(service, operation, body);
  const shown = `${path} = ${value === MISSING ? 'missing' : JSON.stringify(value)}: ${answer.text}`;
  expect(answer.httpStatus, shown).toBe(400);
  expect(answer.json.code, shown).toBe('400.100');
  expect(fieldsOf(answer), shown).toEqual([path]);
}

/** Tests one row of a field table over HTTP, correctly signed each time. */
export async function checkField(
  service: Service,
  operation: Operation,
  path: string,
  { required, good = [], bad = [], beside = {} }: FieldCases,
): Promise<void> {
  const make = (value: unknown): Body => withChanges(makers[operation]({ ...beside }), { [path]: value });
  const accepted = required ? good : [...good, MISSING];
  for (const value of accepted) {
    const answer = await send(service, operation, make(value));
    expect(answer.httpStatus, `${path} = ${String(value)}: ${answer.text}`).toBe(201);
  }
  for (const value of required ? [...bad, MISSING] : bad) {
    await expectRefused(service, operation, path, make(value), value);
  }
}

/** As {@link checkField}, for text: every other JSON type is refused too. */
export async function checkText(service: Service, operation: Operation, path: string, cases: FieldCases) {
  await checkField(service, operation, path, { ...cases, bad: [...NOT_TEXT, ...(cases.bad ?? [])] });
}
