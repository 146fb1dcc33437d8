import { existsSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import type { PlannedRequest, RunPlan } from '@shared/run/plan-run';
import type { RequestIdentity } from '@shared/contract/common';
import type { Environment } from '@shared/contract/environments';
import { assembleBody, type FileBody } from '@shared/http-file/assemble-body';
import { createDynamicValues, type DynamicSources } from '@shared/http-file/dynamic-values';
import type { HttpRequestBlock } from '@shared/http-file/http-file';
import { identifyBlock } from '@shared/http-file/identify-block';
import { parseHttpFile } from '@shared/http-file/parse-http-file';
import { chooseRequest, prepareRequest, type PreparedRequest } from '@shared/http-file/prepare-request';
import type { ScriptedRequest } from '@shared/http-file/script-values';
import type { CommandContext } from './command';
import { decodeText } from './read-input';
import { usageError } from './usage-error';

const maxFileBytes = 16 * 1024 * 1024;

/** One request of a file, and the folder that its own files and environments are looked for in. */
export interface RequestFile {
  block: HttpRequestBlock;
  folder: string;
  /** Path of the file, links resolved, and the name of its block; null: it came by standard input. */
  place: { file: string; block: string } | null;
  /** All that the file has. */
  scripted: readonly ScriptedRequest[];
}

/**
 * Reads a request file, `-` for standard input, and takes the one request that is meant.
 *
 * @param name - of `--name`; null: the caller has no such option
 */
export async function readRequestFile(
  context: CommandContext,
  file: string,
  name: string | undefined | null,
): Promise<RequestFile> {
  const text = decodeText(await context.readInput(file, 'FILE', { maxBytes: maxFileBytes }), 'FILE');
  const folder = file === '-' ? process.cwd() : dirname(resolve(file));
  const parsed = parseHttpFile(text);
  const block = chooseRequest(parsed, file, name ?? undefined, name !== null);
  const named = identifyBlock(parsed.requests, parsed.requests.indexOf(block));
  const scripted = parsed.requests.map((one) => ({ name: one.name, text: text.slice(one.start, one.end) }));
  const place = file === '-' ? null : { file: realpathSync(file), block: named };
  return { block, folder, place, scripted };
}

/**
 * Gives what history knows a request by, so that a send from here stands beside those of the app.
 *
 * Null for a file that lies in no open collection: it has no id to be known by, and an id made up for it would be
 * another one as soon as its folder is opened.
 */
export function identifyRequest(
  place: RequestFile['place'],
  collections: readonly { id: string; directory: string }[],
): RequestIdentity | null {
  if (place === null) return null;
  const around = collections
    .map(({ id, directory }) => ({ id, path: relative(resolveLinks(directory), place.file) }))
    .filter(({ path }) => path !== '' && !isAbsolute(path) && path.split(sep)[0] !== '..')
    // Of folders within each other, the innermost.
    .sort((a, b) => a.path.length - b.path.length)[0];
  if (around === undefined) return null;
  return { collectionId: around.id, path: around.path.split(sep).join('/'), block: place.block };
}

/** Gives the requests of a plan, read with their absolute paths, what history knows them by. */
export function identifyPlan(
  { requests }: RunPlan,
  collections: readonly { id: string; directory: string }[],
): readonly PlannedRequest[] {
  // A file may hold thousands of requests: where it lies is looked at once.
  const files = new Map<string, RequestIdentity | null>();
  const identify = ({ path, block }: RequestIdentity): RequestIdentity | null => {
    if (!files.has(path)) files.set(path, identifyRequest({ file: resolveLinks(path), block }, collections));
    const found = files.get(path) ?? null;
    return found && { ...found, block };
  };
  return requests.map(({ request, ...links }) => {
    const { identity } = request;
    return { ...links, request: { ...request, identity: identity && identify(identity) } };
  });
}

function resolveLinks(directory: string): string {
  return existsSync(directory) ? realpathSync(directory) : directory;
}

/** What a call gives for once: it comes before the file's own variables. */
export interface GivenValues {
  readonly var: readonly string[];
  readonly 'callback-url': string | undefined;
  readonly 'base-url': string | undefined;
}

/** Reads `--var`, `--callback-url` and `--base-url` as values of variables. @throws {AppError} `cli.usage` */
export function readGivenValues(values: GivenValues): Record<string, string> {
  const pairs = values.var.map((pair) => {
    const at = pair.indexOf('=');
    if (at < 1) throw usageError(`--var takes NAME=VALUE, not '${pair.slice(0, 60)}'.`);
    return [pair.slice(0, at), pair.slice(at + 1)] as const;
  });
  const baseUrl = values['base-url']?.replace(/(?<!\/)\/+$/, '');
  const callbackUrl = values['callback-url'];
  return {
    ...(baseUrl === undefined ? {} : { base_url: baseUrl }),
    ...(callbackUrl === undefined ? {} : { callback_url: callbackUrl }),
    ...Object.fromEntries(pairs),
  };
}

/** Prepares a request with the variables of an environment and those of the call. */
export function prepareGiven(
  block: HttpRequestBlock,
  values: GivenValues,
  environment: Environment | null,
  sources: DynamicSources,
): PreparedRequest {
  return prepareRequest(block, {
    variables: environment?.variables ?? {},
    given: readGivenValues(values),
    ...(environment && { destination: environment, lastReferences: environment.lastReferences }),
    dynamic: createDynamicValues(sources),
  });
}

/** Reads the bytes of a body that holds files; null: it holds none. */
export async function readFileBody(prepared: PreparedRequest, folder: string): Promise<FileBody | null> {
  if (prepared.files.length === 0) return null;
  const { readBodyFile } = await import('../services/collections/body-files');
  return assembleBody(prepared, (path) => readBodyFile(folder, path));
}

/** Writes what the file says and is not done, a line each. */
export function listNotes({ notes, foreign }: Pick<PreparedRequest, 'notes' | 'foreign'>): string[] {
  const advice = foreign.map(({ name, line, message }) => ({ line, message: `{{${name}}}: ${message}` }));
  return [...notes, ...advice].map(({ line, message }) => `Line ${line}: ${message}`);
}
