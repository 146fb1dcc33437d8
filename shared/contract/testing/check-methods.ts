/** Holds methods of the contract to tables of what they take, refuse and give: as the router does, which is all that callers see. */
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { errorReasons, isErrorCode, type ErrorCode } from '../../error-codes';
import type { HostKind, MethodDefinition } from '../define';

/** Written down once more: a kind of request that is lost from the contract would be lost from a list that is made of it. */
export const operations = [
  'remittance',
  'payout',
  'collection',
  'status',
  'balances',
  'token',
  'send_test',
  'other',
] as const;

/** By member, dots leading inside (`setup.profile.tokenPath`, `ids.0`). */
type Values = Readonly<Record<string, readonly unknown[]>>;

export interface MethodTable<D extends MethodDefinition> {
  /**
   * Calls that are taken, the shortest first. What none of them leaves out cannot be left out, what is null in none of
   * them cannot be null, and no member is of another kind.
   */
  calls: readonly z.input<D['input']>[];
  /** What the service gets of the first, where something is filled in. */
  becomes?: z.output<D['input']>;
  /** Calls that leave out something inside, and what the service gets of them. */
  filled?: readonly (readonly [z.input<D['input']>, z.output<D['input']>])[];
  /** Taken as well, each put into the first call. */
  takes?: Values;
  /** Refused, and the member is named. */
  refuses?: Values;
  /** Sound answers; the same holds for their members as for those of calls. */
  answers: readonly z.input<D['output']>[];
  /** What an earlier version kept, and how it is given out. */
  earlier?: readonly (readonly [z.input<D['output']>, z.output<D['output']>])[];
  /** Given out as well, each put into the first answer. */
  gives?: Values;
  /** Not given out. */
  withholds?: Values;
  /** Where its answers begin with texts that have limits, because whoever wrote them kept to those. */
  bounded?: readonly string[];
  /** Codes that it is known to refuse with. */
  says?: readonly ErrorCode[];
  /** Left out: all. */
  hosts?: readonly HostKind[];
}

/** Text of so many characters. */
export const long = (characters: number): string => 'x'.repeat(characters);

const freeNames = new WeakSet<object>();

/** An object whose members may have any name; nothing is asked of them one by one. */
export function named<T extends object>(values: T): T {
  freeNames.add(values);
  return values;
}

/** Checks each method by its table. */
export function checkMethods<M extends Readonly<Record<string, MethodDefinition>>>(
  methods: M,
  tables: { readonly [K in keyof M]: MethodTable<M[K]> },
): void {
  it('has a table for each method, and none besides', () => {
    expect(Object.keys(methods).sort()).toEqual(Object.keys(tables).sort());
  });
  describe.each(Object.keys(methods) as (keyof M & string)[])('%s', (name) => {
    const { input, output, errors, hosts }: MethodDefinition = methods[name]!;
    const table = tables[name] as MethodTable<MethodDefinition>;
    const [first] = table.calls;
    const becomes = table.becomes ?? first;

    it('takes calls, and fills in what they leave out', () => {
      expect(take(input, first)).toEqual(becomes);
      for (const call of table.calls)
        expect(take(input, call)).toEqual({ ...asObject(becomes), ...asObject(call) });
      for (const [call, got] of table.filled ?? []) expect(take(input, call)).toEqual(got);
      for (const [path, value] of pairs(table.takes))
        expect(take(input, put(first, path, value)), path).toEqual(put(becomes, path, value));
      expectCut(input, table.calls);
    });

    it('refuses what is no call of it, and names the member', () => {
      for (const [path, value] of pairs(table.refuses)) expectRefused(input, put(first, path, value), path);
      expectHeld(input, [...table.calls, ...(table.filled ?? []).map(([call]) => call)]);
      for (const given of ['now', 7, true, [], null])
        expect(input.safeParse(given).success, String(given)).toBe(false);
    });

    it('gives what it promises, all of it and nothing else', () => {
      for (const answer of table.answers) expect(take(output, answer)).toEqual(answer);
      const earlier = table.earlier ?? [];
      for (const [kept, given] of earlier) expect(take(output, kept)).toEqual(given);
      const [sound] = table.answers;
      for (const [path, value] of pairs(table.gives))
        expect(take(output, put(sound, path, value)), path).toEqual(put(sound, path, value));
      for (const [path, value] of pairs(table.withholds))
        expectRefused(output, put(sound, path, value), path);
      expectUnbounded(output, table);
      expectHeld(output, [...table.answers, ...earlier.map(([kept]) => kept)]);
      expectCut(output, table.answers);
    });

    it('declares the codes that it answers with, and where it is offered', () => {
      for (const code of table.says ?? [])
        expect(
          errors.some((one) => covers(one, code)),
          code,
        ).toBe(true);
      for (const one of errors) expect(isKnown(one), one).toBe(true);
      expect(hosts).toEqual(table.hosts);
    });
  });
}

const covers = (declared: string, code: string): boolean =>
  declared.endsWith('.*') ? code.startsWith(declared.slice(0, -1)) : declared === code;
const isKnown = (declared: string): boolean =>
  declared.endsWith('.*') ? Object.hasOwn(errorReasons, declared.slice(0, -2)) : isErrorCode(declared);

const asObject = (value: unknown): object => value as object;
const pairs = (values: Values = {}): [string, unknown][] =>
  Object.entries(values).flatMap(([path, all]) => all.map((value): [string, unknown] => [path, value]));

function take(schema: z.ZodType, given: unknown): unknown {
  const read = schema.safeParse(given);
  if (read.success) return read.data;
  return expect.fail(`${show(given)} is refused: ${read.error.message}`);
}

function expectRefused(schema: z.ZodType, given: unknown, path: string): void {
  const issues = schema.safeParse(given).error?.issues ?? [];
  if (!issues.some((issue) => String(issue.path[0]) === path.split('.')[0]))
    expect.fail(`${path} is not refused: ${show(given)}`);
}

const show = (given: unknown): string => JSON.stringify(given).slice(0, 1000);

type Path = readonly (string | number)[];

/** Every member and element, however deep. */
function* walk(value: unknown, path: Path = []): Generator<{ path: Path; value: unknown }> {
  yield { path, value };
  if (typeof value !== 'object' || value === null || freeNames.has(value)) return;
  const names = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
  for (const name of names) yield* walk((value as Record<string | number, unknown>)[name], [...path, name]);
}

const isPlain = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !freeNames.has(value);
/** Elements of a list are of one kind. */
const place = (path: Path): string => path.map((one) => (typeof one === 'number' ? '*' : one)).join('.');
const otherKind = (value: unknown): unknown => {
  if (typeof value === 'string') return 17;
  return typeof value === 'object' ? 'text' : 'true';
};

/** What is in every sample has to be there, is null where a sample has null, and of its kind. */
function expectHeld(schema: z.ZodType, samples: readonly unknown[]): void {
  const seen = samples.flatMap((sample) => [...walk(sample)].map((one) => ({ ...one, sample })));
  const at = new Map<string, typeof seen>();
  for (const one of seen) at.set(place(one.path), [...(at.get(place(one.path)) ?? []), one]);
  for (const [where, found] of at) {
    if (where === '') continue;
    const { path, sample, value } = found.find((one) => one.value !== null) ?? found[0]!;
    if (value === null) continue;
    expectRefused(schema, put(sample, path, otherKind(value)), where);
    if (found.every((one) => one.value !== null)) expectRefused(schema, put(sample, path, null), where);
    const around = at.get(place(path.slice(0, -1)))!.filter((one) => isPlain(one.value));
    if (
      typeof path.at(-1) === 'string' &&
      around.every((one) => Object.hasOwn(one.value as object, path.at(-1)!))
    )
      expectRefused(schema, put(sample, path, undefined), where);
  }
}

/** A limit is for what comes in: an answer with one long text in it would be none at all. */
function expectUnbounded(schema: z.ZodType, { answers, bounded = [] }: MethodTable<MethodDefinition>): void {
  const seen = new Set<string>();
  for (const answer of answers)
    for (const { path, value } of walk(answer)) {
      const where = place(path);
      if (typeof value !== 'string' || seen.has(where) || bounded.some((one) => where.startsWith(one)))
        continue;
      seen.add(where);
      for (const text of ['', long(6000)]) {
        const issues = schema.safeParse(put(answer, path, text)).error?.issues ?? [];
        const about = issues.filter(({ code }) => code !== 'invalid_value' && code !== 'invalid_union');
        expect(about, `${where} of ${text.length} characters`).toEqual([]);
      }
    }
}

/** Members that nobody named go no further. */
function expectCut(schema: z.ZodType, samples: readonly unknown[]): void {
  const seen = new Set<string>();
  for (const sample of samples)
    for (const { path, value } of walk(sample)) {
      if (!isPlain(value) || seen.has(place(path))) continue;
      seen.add(place(path));
      const read = take(schema, put(sample, [...path, 'aSecretBesides'], 's3cret'));
      expect(JSON.stringify(read), place(path)).not.toContain('s3cret');
    }
}

/** The same with another value in one place; undefined: without it. */
function put(value: unknown, path: Path | string, member: unknown): unknown {
  const [name, ...rest] = typeof path === 'string' ? path.split('.') : path;
  if (name === undefined) return member;
  const copy: unknown = Array.isArray(value) ? [...(value as unknown[])] : { ...(value as object) };
  const members = copy as Record<string | number, unknown>;
  const changed = put(members[name], rest, member);
  if (changed === undefined) Reflect.deleteProperty(members, name);
  else members[name] = changed;
  return copy;
}
