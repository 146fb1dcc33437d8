import { AppError } from '../errors';
import { replaceJsonValue } from '../json/edit-json';
import { parseJsonTree, readJsonTree, textOf, type JsonNode } from '../json/json-tree';
import { writeJson } from '../json/write-json';

/** What the service's simulator can be told of a webhook, by the names of its request. @source payments-service-interface, part 4.5 */
export interface TestWebhookFields {
  readonly status?: string | undefined;
  readonly code?: string | undefined;
  readonly client_reference?: string | undefined;
  readonly payment_uuid?: string | undefined;
  readonly payment_reference?: string | undefined;
  /** A JSON number as written. */
  readonly amount?: string | undefined;
  /** A JSON object as text. */
  readonly metadata?: string | undefined;
}

/** One request to the simulator. */
export interface TestWebhook {
  /** The webhook's body, a JSON object. */
  readonly payload: string;
  /** How often it is to be received, under one `webhook-id`; the sandbox alone does that. */
  readonly copies: number;
  /** When it is sent, in seconds of the sandbox's clock. */
  readonly delaySeconds: number;
}

const literals = { amount: 'number', metadata: 'object' } as const;
const MOST_LEVELS = 100;
const MOST_IN_BURST = 1000;
/** Late enough that a status query comes first. */
const LATE_SECONDS = 5;
const LONGEST_DELAY_SECONDS = 86_400;

/** How the scenarios are written. */
export const scenarioForms = `duplicate, late (or late:SECONDS), out-of-order, burst:COUNT (up to ${MOST_IN_BURST})`;

function refuse(message: string): AppError {
  return new AppError('sending.bad_input', message);
}

/** Writes the body by hand: amount and metadata go out as typed. @throws {AppError} `sending.bad_input` */
export function writeTestPayload(fields: TestWebhookFields): string {
  const members = Object.entries(fields as Record<string, string | undefined>).flatMap(([name, text]) => {
    if (text === undefined) return [];
    if (!Object.hasOwn(literals, name)) return [`${JSON.stringify(name)}:${JSON.stringify(text)}`];
    const kind = literals[name as keyof typeof literals];
    if (readJsonTree(text)?.kind === kind) return [`"${name}":${text.trim()}`];
    throw refuse(`The ${name} is not a JSON ${kind}. Correct it, or leave it empty.`);
  });
  return `{${members.join(',')}}`;
}

/**
 * Changes members of a payload: `set` lists `a.b=VALUE`, JSON or else a text; `unset` lists `a.b`.
 *
 * A value that is there is replaced in its place, every other byte stays; members are added and removed by writing anew.
 * @throws {AppError} `sending.bad_input`
 */
export function editTestPayload(
  payload: string,
  { set = [], unset = [] }: { set?: readonly string[]; unset?: readonly string[] },
): string {
  requireObject(payload);
  const changed = set.reduce((text, pair) => {
    const { path, literal } = readPair(pair);
    return replaceJsonValue(text, path, literal) ?? addMember(text, path, literal);
  }, payload);
  return unset.reduce((text, path) => removeMember(text, readPath(path)), changed);
}

/** Reads a payload that somebody wrote. @throws {AppError} `sending.bad_input` where it is no JSON object */
export function requireObject(payload: string): JsonNode & { kind: 'object' } {
  const tree = parsePayload(payload);
  if (tree.kind === 'object') return tree;
  throw refuse('The body of the webhook is no JSON object.');
}

function parsePayload(payload: string): JsonNode {
  try {
    return parseJsonTree(payload, MOST_LEVELS, {
      refuseDeeper: () => {
        throw refuse(`It is deeper than ${MOST_LEVELS} levels.`);
      },
    });
  } catch (error) {
    throw refuse(
      `The body of the webhook is no JSON. ${error instanceof AppError ? error.message : ''}`.trim(),
    );
  }
}

/** Plans what a scenario sends; null: the webhook once. @throws {AppError} `sending.bad_input` */
export function planTestWebhooks(
  payload: string,
  scenario: string | null,
  newReference: () => string,
): TestWebhook[] {
  const once = { payload, copies: 1, delaySeconds: 0 };
  if (scenario === null) return [once];
  const [name = '', count] = scenario.split(':', 2);
  const plan = Object.hasOwn(planners, name) ? planners[name as keyof typeof planners] : null;
  const planned = plan?.(once, count, newReference) ?? null;
  if (planned !== null) return planned;
  throw refuse(`There is no scenario '${scenario.slice(0, 60)}'. Take one of ${scenarioForms}.`);
}

type Planner = (
  once: TestWebhook,
  count: string | undefined,
  newReference: () => string,
) => TestWebhook[] | null;

const planners = {
  duplicate: (once, count) => (count === undefined ? [{ ...once, copies: 2 }] : null),
  late(once, count) {
    const delaySeconds = readCount(count ?? String(LATE_SECONDS), LONGEST_DELAY_SECONDS);
    return delaySeconds === null ? null : [{ ...once, delaySeconds }];
  },
  // What is final comes first; what it was before, after it.
  'out-of-order': (once, count) =>
    count === undefined
      ? [once, { ...once, payload: editTestPayload(once.payload, { set: ['status="ACCEPTED"'] }) }]
      : null,
  burst(once, count, newReference) {
    const most = readCount(count ?? '', MOST_IN_BURST);
    if (most === null) return null;
    const tree = requireObject(once.payload);
    const reference = textOf(tree, 'client_reference') ?? newReference();
    const uuid = textOf(tree, 'payment_uuid');
    return Array.from({ length: most }, (_, index) => ({
      ...once,
      payload: editTestPayload(once.payload, {
        set: [
          `client_reference=${JSON.stringify(`${reference}-${index + 1}`)}`,
          ...(uuid === null
            ? []
            : [`payment_uuid=${JSON.stringify(`${uuid}${String(index + 1).padStart(4, '0')}`)}`]),
        ],
      }),
    }));
  },
} satisfies Record<string, Planner>;

function readCount(text: string, most: number): number | null {
  const value = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  return value >= 1 && value <= most ? value : null;
}

function readPath(text: string): string[] {
  const path = text.split('.');
  if (path.every((step) => step !== '')) return path;
  throw refuse(`'${text.slice(0, 60)}' is no path. Write it as a.b.`);
}

function readPair(pair: string): { path: string[]; literal: string } {
  const at = pair.indexOf('=');
  if (at < 1) throw refuse(`--set takes a.b=VALUE, not '${pair.slice(0, 60)}'.`);
  const text = pair.slice(at + 1);
  return {
    path: readPath(pair.slice(0, at)),
    literal: readJsonTree(text) === null ? JSON.stringify(text) : text,
  };
}

function addMember(text: string, path: readonly string[], literal: string): string {
  const tree = requireObject(text);
  let owner: JsonNode & { kind: 'object' } = tree;
  for (const step of path.slice(0, -1)) {
    const next: JsonNode = owner.members.get(step) ?? { kind: 'object', members: new Map() };
    if (next.kind !== 'object')
      throw refuse(`'${path.join('.').slice(0, 60)}' leads through what is no object.`);
    owner.members.set(step, next);
    owner = next;
  }
  owner.members.set(path.at(-1)!, parseJsonTree(literal, MOST_LEVELS));
  return writeJson(tree);
}

function removeMember(text: string, path: readonly string[]): string {
  const tree = requireObject(text);
  let owner: JsonNode | undefined = tree;
  for (const step of path.slice(0, -1))
    owner = owner?.kind === 'object' ? owner.members.get(step) : undefined;
  // What is not there need not be taken away.
  if (owner?.kind !== 'object' || !owner.members.delete(path.at(-1)!)) return text;
  return writeJson(tree);
}
