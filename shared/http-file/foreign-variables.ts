import { isProduct, products } from '../payments/tables/products';
import type { HttpRequestBlock } from './http-file';
import { findExpression, plainName } from './find-expression';
import { countLines } from './http-lines';
import { lastReference } from './last-reference';
import { listSome } from '../list-some';
import type { ResolvedRequest } from './resolve-request';

/** What is written in the place of another client's variable. */
export interface ForeignFix {
  readonly label: string;
  readonly part: 'url' | 'header';
  /** The whole address or header value, as it stands and as it is to be. */
  readonly from: string;
  readonly to: string;
}

/** A variable that means something in other clients, and what means it here. */
export interface ForeignVariable {
  readonly name: string;
  readonly line: number;
  /** A sentence that says what to write. */
  readonly message: string;
  /** Null: what is to stand there is not certain. */
  readonly fix: ForeignFix | null;
}

type Request = Pick<HttpRequestBlock, 'operation' | 'url' | 'headers' | 'body' | 'line' | 'bodyLine'>;
/** Of variables that mean something elsewhere: the advice on one is a sentence or two. */
const mostTold = 4;

type Unresolved = ResolvedRequest['unresolved'][number];

/** What other clients call a token that a script of theirs keeps. */
export const tokenName = /^(?:(?:access|auth|bearer|api|jwt)[_-]?)?token$|^bearer$|^jwt$/i;
/** Ours, but for the product: `{{token.payouts}}`. */
const ownToken = /^token\./;
const hostName = /^(?:api[_-]?)?(?:host|host[_-]?name|base[_-]?ur[il]|url|server|endpoint|domain)$/i;
const timeName = /^(?:(?:current|now|iso|request)[_-]?)?(?:time[_-]?stamp|date[_-]?time)$/i;
const callbackName = /^(?!callback_url$)(?:call[_-]?back|webhook|notify|notification)[_-]?ur[il]$/i;
/** `{{login.response.body.$.access_token}}`, as the REST Client and JetBrains have it. */
const answerPart = /^([\w-]+)\.response\.(body|headers)(?:\.|(?=\[)|$)(.*)$/;
const requestPart = /^[\w-]+\.request\.(?:body|headers)\b/;

interface Dialect {
  readonly pattern: RegExp;
  advise(found: RegExpExecArray, at: Unresolved, request: Request): Omit<ForeignVariable, 'name' | 'line'>;
}

const say = (message: string): ReturnType<Dialect['advise']> => ({ message, fix: null });

/** In this order; the first that fits has the word. */
const dialects: readonly Dialect[] = [
  { pattern: tokenName, advise: (_found, at, request) => adviseOnToken(at, request) },
  { pattern: ownToken, advise: (_found, at, request) => adviseOnToken(at, request) },
  { pattern: hostName, advise: (_found, at, request) => adviseOnHost(at, request) },
  {
    pattern: timeName,
    advise: () =>
      say(
        'Times are made here: write {{$isoTimestamp}} in its place ({{$timestamp}} is in seconds), or give it a value.',
      ),
  },
  {
    pattern: callbackName,
    advise: () =>
      say('The address of your inbox is {{callback_url}} here: write that in its place, or give it a value.'),
  },
  {
    pattern: new RegExp(`^${lastReference}$`),
    advise: () =>
      say(
        'It is the reference of the payment that was sent last with the token of this product, and none was sent yet: send one, or write a reference in its place.',
      ),
  },
  {
    pattern: answerPart,
    advise(found, at, request) {
      const [, sender = '', kind = '', place = ''] = found;
      const captured = readCaptured(kind === 'headers' ? 'header' : 'body', place);
      const line =
        captured === null
          ? '# @capture NAME = body PATH'
          : `# @capture ${captured.name} = ${captured.source}`;
      const way = `a line of their own: write \`${line}\` above the request '${sender}', and {{${captured?.name ?? 'NAME'}}} here. A run fills it in.`;
      const isOfService = request.operation !== 'other' || at.where === 'header';
      if (captured !== null && tokenName.test(captured.name) && isOfService)
        return adviseOnToken(at, request, `Others are taken by ${way}`);
      return say(`Values of answers are taken by ${way}`);
    },
  },
  {
    pattern: requestPart,
    advise: () =>
      say('Parts of another request are not known here: write the value as a variable that both use.'),
  },
];

/** Reads where another client takes a value of an answer from, and names the capture that does the same here. */
export function readCaptured(
  kind: 'header' | 'body',
  place: string,
): { name: string; source: string } | null {
  const path = kind === 'header' ? place : place.replace(/\['([^'"\]]+)'\]/g, '.$1').replace(/^\$?\.?/, '');
  if (!/^[A-Za-z_][\w-]*(?:\.[\w-]+|\[\d+\])*$/.test(path)) return null;
  const last = /(?<![\w-])[\d-]*([A-Za-z_][\w-]*)(?:\.\d+|\[\d+\])*$/.exec(path)?.[1] ?? 'value';
  return { name: last.replaceAll('-', '_'), source: `${kind} ${path}` };
}

/** @param others - what is said of tokens that are none of the service */
function adviseOnToken(
  { name, where }: Unresolved,
  request: Request,
  others = 'Any other token needs a value in an environment of your own, where the vault seals it, or a `# @capture` above the request that brings it.',
): ReturnType<Dialect['advise']> {
  const { operation } = request;
  const product = isProduct(operation) ? operation : null;
  const own = product === null ? products : [product];
  const tokens = own.map((one) => `{{token.${one}}}`);
  const shown = tokens.join(' or ');
  if (operation === 'token' || where !== 'header') {
    return say(
      `Tokens are fetched by Countersign, and filled in in headers alone: write \`Authorization: Bearer ${tokens[0]}\`.`,
    );
  }
  if (operation === 'other') {
    return say(`Tokens of the service are fetched by Countersign: write ${shown} in its place. ${others}`);
  }
  return {
    message: `Tokens are fetched by Countersign: write ${shown} in its place.`,
    fix: product === null ? null : fixToken(name, `{{token.${product}}}`, request),
  };
}

function fixToken(name: string, token: string, { headers }: Request): ForeignFix | null {
  const inHeader = headers.filter(({ value }) => findPlace(name).test(value));
  const [header] = inHeader;
  if (header === undefined || inHeader.length > 1 || header.name.toLowerCase() !== 'authorization')
    return null;
  const from = header.value;
  const isWhole = from.replace(findPlace(name), '').trim() === '';
  const to = isWhole ? `Bearer ${token}` : from.replace(findPlace(name), () => token);
  return /^Bearer \S+$/.test(to) ? { label: `Write ${token}`, part: 'header', from, to } : null;
}

function adviseOnHost({ name, where }: Unresolved, { url }: Request): ReturnType<Dialect['advise']> {
  const start = new RegExp(`^(?:https?://)?${findPlace(name).source}(?=[/?#]|$)`);
  const isFirst = where === 'url' && start.test(url);
  return {
    message:
      'The address of the service is the base URL of the environment: write {{base_url}} in its place.',
    fix: isFirst
      ? {
          label: 'Write {{base_url}}',
          part: 'url',
          from: url,
          to: url.replace(start, () => '{{base_url}}'),
        }
      : null,
  };
}

const findPlace = (name: string): RegExp =>
  new RegExp(`\\{\\{\\s*${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}\\s*\\}\\}`);

/** Finds what stands in a request for another client and has no value here. */
export function findForeignVariables(
  request: Request,
  { unresolved }: Pick<ResolvedRequest, 'unresolved'>,
): ForeignVariable[] {
  const lineOf = createLineFinder(request);
  const told = new Set<string>();
  return unresolved.flatMap((one): ForeignVariable[] => {
    // One name may stand in several parts: it is told once.
    const advice = told.has(one.name) ? null : adviseOn(one, request);
    told.add(one.name);
    return advice === null ? [] : [{ name: one.name, line: lineOf(one), ...advice }];
  });
}

/** Says what a name of another client means here, wherever it stands; null: it is none that is known. */
export function describeForeignName(name: string): string | null {
  const request: Request = { operation: 'status', url: '', headers: [], body: null, line: 1, bodyLine: 1 };
  return adviseOn({ name, where: 'header' }, request)?.message ?? null;
}

function adviseOn(one: Unresolved, request: Request): ReturnType<Dialect['advise']> | null {
  for (const { pattern, advise } of dialects) {
    const found = pattern.exec(one.name);
    if (found !== null) return advise(found, one, request);
  }
  return null;
}

/**
 * Makes what tells the line where an unresolved variable stands: its own, where it stands in another one's value the
 * beginning of the part. A file may have ten thousands of them: each part is read once.
 */
export function createLineFinder({
  line,
  headers,
  body,
  bodyLine,
}: Pick<HttpRequestBlock, 'line' | 'headers' | 'body' | 'bodyLine'>): (one: Unresolved) => number {
  let inHeaders: ReadonlyMap<string, number> | null = null;
  let inBody: ReadonlyMap<string, number> | null = null;
  return ({ name, where }) => {
    if (where === 'header') return (inHeaders ??= placeNames(headers)).get(name) ?? line;
    if (where === 'url' || body === null) return line;
    return (inBody ??= placeNames([{ value: body, line: bodyLine }])).get(name) ?? bodyLine;
  };
}

/** The line where each name stands first. */
function placeNames(texts: readonly { value: string; line: number }[]): Map<string, number> {
  const places = new Map<string, number>();
  for (const { value, line } of texts) {
    let at = line;
    let counted = 0;
    for (let found = findExpression(value, 0); found !== null; found = findExpression(value, found.end)) {
      at += countLines(value, counted, found.start);
      counted = found.start;
      const name = plainName(found.name);
      if (!places.has(name)) places.set(name, at);
    }
  }
  return places;
}

/** What who asks knows of a variable that has no value. */
export interface VariableAdvice {
  /** How it is given one. */
  adviseOn(name: string): string;
  /** Whether it has one where the request could be sent, too: that is meant, whatever its name means in other clients. */
  readonly isElsewhere?: (name: string) => boolean;
}

/** Says how missing variables get values: each of another client by what means it here, all others together. */
export function adviseOnMissing(
  names: readonly string[],
  foreign: readonly ForeignVariable[],
  adviseOnOther: (name: string) => string,
  isElsewhere: (name: string) => boolean = () => false,
): string {
  const unique = new Set(names);
  const known = foreign.filter(({ name }) => unique.has(name) && !isElsewhere(name));
  const knownNames = new Set(known.map(({ name }) => name));
  const others = groupByAdvice(
    [...unique].filter((name) => !knownNames.has(name)),
    adviseOnOther,
  );
  const told = known
    .slice(0, mostTold)
    .map(({ name, message }) => (unique.size > 1 ? `{{${name}}}: ${message}` : message));
  if (known.length === 0 && others.length === 1) return others[0]!.advice;
  const rest = others.map(
    ({ names: same, advice }) => `${listSome(same.map((name) => `{{${name}}}`))}: ${advice}`,
  );
  return [...told, ...rest].join(' ');
}

/** A name where it is not a part of a longer word. */
const findWord = (name: string): RegExp =>
  new RegExp(`(?<!\\w)${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?!\\w)`);

/** Names of which the same is said, but for the name: the first stands in it for all. */
function groupByAdvice(
  names: readonly string[],
  adviseOn: (name: string) => string,
): { names: string[]; advice: string }[] {
  const groups = new Map<string, { names: string[]; advice: string }>();
  for (const name of names) {
    const advice = adviseOn(name);
    const shape = advice.split(findWord(name)).join('{}');
    const group = groups.get(shape);
    if (group === undefined) groups.set(shape, { names: [name], advice });
    else group.names.push(name);
  }
  return [...groups.values()].slice(0, mostTold);
}
