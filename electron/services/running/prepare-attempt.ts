import { createHash } from 'node:crypto';
import { assembleBody, type FileBody } from '@shared/http-file/assemble-body';
import { createDynamicValues, type DynamicValues } from '@shared/http-file/dynamic-values';
import { findForeignHost } from '@shared/http-file/host-binding';
import { AppError } from '@shared/errors';
import { findRefusal, prepareRequest, type PreparedRequest } from '@shared/http-file/prepare-request';
import type { RunRequest } from '@shared/run/plan-run';
import { isProduct, products, type Product } from '@shared/payments/tables/products';
import { readBodyFile } from '../collections/body-files';
import { readExchangeFacts } from '../history/exchange-facts';
import type { ReadyRequest } from '../sending/create-sending-service';
import { describeUnresolved } from './describe-unresolved';
import { giveValues } from './last-sent';
import type { InFlight } from './resume-log';
import { describeHome } from './run-facts';
import type { RunContext, RunTurn } from './run-context';

/** A request ready to leave: each attempt sends these same bytes. */
export interface Attempt {
  readonly prepared: PreparedRequest;
  /** Bytes of a body that holds files; null: `prepared.body` is all. */
  readonly fileBody: FileBody | null;
  readonly body: string | null;
  readonly reference: string | null;
  readonly amount: string | null;
  readonly currency: string | null;
  /** Whose token it takes; null: none. */
  readonly product: Product | null;
  /** Made before its turn, for its first try; null: made when it leaves. */
  readonly ready: Promise<ReadyRequest> | null;
}

/** Values that were drawn before, in their order; whatever else is asked for is drawn now. */
function replay(draws: InFlight['draws'], fresh: DynamicValues): DynamicValues {
  return {
    ...fresh,
    get: (expression, occurrence) =>
      draws.filter((one) => one.expression === expression)[occurrence]?.value ??
      fresh.get(expression, occurrence),
  };
}

function refuseUnsendable(prepared: PreparedRequest, turn: RunTurn): void {
  const refusal = findRefusal(prepared);
  if (refusal !== null) throw refusal;
  const names = prepared.unresolved.map(({ name }) => name);
  if (names.length > 0) throw describeUnresolved(names, turn, prepared.foreign);
}

/**
 * Keeps a secret that a run was given where it belongs, as tokens are kept: with the service, and what another host gave with that
 * host and the service. A file that has one answer with a secret and then names a third would take it there.
 *
 * @throws {AppError} `sending.foreign_host`
 */
function refuseCapturedElsewhere(
  { url, headers, variablesUsed }: PreparedRequest,
  options: RunContext['options'],
  { secretCaptures }: RunTurn,
): void {
  const captures = Object.keys(variablesUsed).flatMap((name) => {
    const captured = secretCaptures.get(name);
    return captured === undefined ? [] : [{ name, givenBy: captured.givenBy }];
  });
  if (captures.length === 0) return;
  const home = describeHome(options);
  const refusal = findForeignHost({ url, headers, allowHosts: options.allowHosts }, home);
  if (refusal?.code !== 'sending.foreign_host') return;
  for (const { name, givenBy } of captures) {
    if (givenBy !== null && findForeignHost({ url, headers }, { label: '', baseUrl: givenBy }) === null)
      continue;
    const { details } = refusal;
    const host = String(details?.['host']);
    const giver =
      givenBy === null ? `'${home.label}' (${String(details?.['home'])})` : new URL(givenBy).origin;
    throw new AppError(
      'sending.foreign_host',
      `Nothing was sent: {{${name}}} was captured from an answer of ${giver}, holds a secret, and would go to ` +
        `${String(details?.['target'])}. Use {{base_url}} for the address, or allow ${host} (--allow-host ${host} on the command line).`,
      { details: { ...details, variable: name } },
    );
  }
}

/** The product of a request: that of its operation, else that of its token. */
function findProduct({ operation, headers }: PreparedRequest): Product | null {
  if (isProduct(operation)) return operation;
  return products.find((one) => headers.some(([, value]) => value.includes(`{{token.${one}}}`))) ?? null;
}

/** By folder and path of files in bodies: what tells them from others. */
type BodyDigests = ReadonlyMap<string, string>;

/** Gives the digest of a file in a body, under its name among them. */
export function digestBodyFile(directory: string, path: string, bytes: Uint8Array): [string, string] {
  return [`${directory}\0${path}`, createHash('sha256').update(bytes).digest('base64')];
}

/** Nobody has looked at, or said yes to, what was put in its place after the run began. @throws {AppError} `running.bad_data` */
function readSameFile(directory: string, path: string, known: BodyDigests | undefined): Buffer {
  const bytes = readBodyFile(directory, path);
  const [name, digest] = digestBodyFile(directory, path, bytes);
  if ((known?.get(name) ?? digest) === digest) return bytes;
  throw new AppError(
    'running.bad_data',
    `'${path}' was changed after the run began, and nothing was sent of it as it is now. Put it back as it was, or send what is left in a new run.`,
  );
}

/** Says which file of a request's body is another than the run began with; null: none. What cannot be read is told as it is prepared. */
export function findChangedFile(
  { block, directory }: RunRequest,
  known: BodyDigests | undefined,
): string | null {
  for (const { put } of known === undefined ? [] : block.bodyCuts) {
    try {
      if (typeof put !== 'string') readSameFile(directory, put.path, known);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      if (error.code === 'running.bad_data') return error.message;
    }
  }
  return null;
}

/**
 * Prepares a request of a run: the same step as a preview, a send and a dry run take.
 *
 * @param inFlight - it may have left before: it is made of the same values again
 * @throws {AppError} `sending.unresolved`, `sending.disabled`, `sending.foreign_host`, `collections.*` of files in its body, and what `vet` throws
 */
export function prepareAttempt(
  { block, directory }: RunRequest,
  { options, deps, coming }: RunContext,
  turn: RunTurn,
  inFlight: InFlight | null,
): Attempt {
  const sources = { now: () => deps.ports.clock.now(), random: deps.ports.random };
  const fresh = createDynamicValues(sources);
  const prepared = prepareRequest(block, {
    ...giveValues(options, turn),
    isText: (name) => name.startsWith('row.') || coming.has(name),
    destination: options.environment.destination,
    dynamic: inFlight === null ? fresh : replay(inFlight.draws, fresh),
  });
  refuseUnsendable(prepared, turn);
  options.vet?.(prepared.url);
  refuseCapturedElsewhere(prepared, options, turn);
  const fileBody =
    prepared.files.length === 0
      ? null
      : assembleBody(prepared, (path) => readSameFile(directory, path, options.bodyFiles));
  const body = fileBody === null ? prepared.body : Buffer.from(fileBody.bytes).toString('utf8');
  const { reference, amount, currency } = readExchangeFacts(prepared.operation, body, null, null);
  const product = findProduct(prepared);
  return { prepared, fileBody, body, reference, amount, currency, product, ready: null };
}

/** Of a digest: it tells a change from none, and stands in each line of a log. */
const digestLength = 16;

/** Addresses that a run has of its own: they stand for the same in the run that goes on with it. */
const ownAddresses = ['callback_url', 'base_url'];

/** Tells a body from the one that the same request would leave with had its variables or files changed. */
export function digestBody({
  body,
  prepared: { variablesUsed },
}: Pick<Attempt, 'body' | 'prepared'>): string {
  const values = ownAddresses.map((name) => variablesUsed[name] ?? '').filter((value) => value !== '');
  const text = values.reduce((left, value) => left.replaceAll(value, ''), body ?? '');
  return createHash('sha256').update(text).digest('base64url').slice(0, digestLength);
}
