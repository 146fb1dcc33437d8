import { findCloseWord } from '../find-close-word';

/**
 * Lines of other clients' dialects that mean something there and that Countersign does not do. They are never sent;
 * what they would have done is said in a note.
 */

/** Of `# @name`, as JetBrains' client, the VS Code REST Client and httpYac have them; kebab and camel case alike. */
const annotations: Readonly<Record<string, string>> = {
  prompt: 'Countersign does not ask for values: set this one in the environment, or as `@name = value`.',
  note: 'Countersign does not ask before it sends this.',
  disabled: 'This request is disabled and is not sent.',
  ref: 'The request that this one refers to is not sent before it.',
  forceref: 'The request that this one refers to is not sent before it.',
  import: 'Other files are not imported: their requests and variables are not known here.',
  loop: 'Countersign sends this once, not in a loop.',
  sleep: 'Countersign does not wait before it sends this.',
  ratelimit: 'Countersign does not hold this back for a rate limit.',
  timeout: 'The time limit is that of the settings, or of --timeout-ms.',
  connectiontimeout: 'The time limit is that of the settings, or of --timeout-ms.',
  injectvariables: 'Variables inside another file are not filled in.',
  proxy: 'No proxy is used.',
  norejectunauthorized: 'Certificates are always checked.',
  useoscredentials: "The system's own credentials are not sent.",
  save: 'The answer is not written to a file.',
  jwt: 'Tokens in answers are not decoded.',
  nolog: 'The history keeps it, secrets masked.',
  noclientcert: "The environment's client certificate is used.",
};

/** Of this program; each is written just so. */
const ours = new Set([
  ...['name', 'operation', 'disabled', 'request', 'received'],
  ...['expect', 'capture', 'tag', 'depends-on', 'skip', 'only'],
]);

/** Of other clients and of documentation: they change nothing of what is sent here, or ask for what is done anyway. */
const informing = new Set([
  ...[
    'title',
    'description',
    'summary',
    'example',
    'see',
    'link',
    'author',
    'since',
    'version',
    'deprecated',
    'todo',
  ],
  ...['id', 'debug', 'verbose', 'noresponseview', 'responseref', 'extension', 'language', 'settings'],
  ...['noredirect', 'nocookiejar', 'noautoencoding', 'keepstreaming', 'grpcreflection'],
]);

/** What somebody wants who writes it; a run takes it as an option. */
const options: Readonly<Record<string, string>> = {
  retry: '--retry N',
  retries: '--retry N',
  delay: '--delay MS',
  iterations: '--iterations N',
  bail: '--bail',
};

/**
 * Gives what an annotation would have done elsewhere, or that nothing comes of it; null: it is one of ours, or only informs.
 */
export function describeForeignAnnotation(name: string): string | null {
  const key = name.replace(/[-_]/g, '').toLowerCase();
  if (Object.hasOwn(annotations, key)) return annotations[key]!;
  if (ours.has(name) || informing.has(key)) return null;
  const shown = `\`# @${name.slice(0, 40)}\` is not known here, and nothing comes of it`;
  return Object.hasOwn(options, key) ? `${shown}: a run takes \`${options[key]!}\`.` : `${shown}.`;
}

/** Finds which of ours an annotation is meant for that is none: a slip, or another case. Null: it is one, or is meant for none. */
export function findMeantAnnotation(name: string): string | null {
  const key = name.replace(/[-_]/g, '').toLowerCase();
  if (ours.has(name) || informing.has(key) || Object.hasOwn(annotations, key)) return null;
  const same = [...ours].find((one) => one.replace('-', '') === key);
  return same ?? findCloseWord(name.toLowerCase(), [...ours]);
}

/** Methods that name another protocol. */
const otherProtocols: Readonly<Record<string, string>> = {
  GRAPHQL: 'GraphQL',
  GRPC: 'gRPC',
  WEBSOCKET: 'WebSocket',
  WS: 'WebSocket',
  SSE: 'server-sent events',
  EVENTSOURCE: 'server-sent events',
  MQTT: 'MQTT',
  AMQP: 'AMQP',
  RSOCKET: 'RSocket',
};

/** Gives the protocol that a method stands for where it is not HTTP; null: it is. */
export function findOtherProtocol(method: string): string | null {
  return Object.hasOwn(otherProtocols, method) ? otherProtocols[method]! : null;
}

/** `{{`, alone on its line or with an event of httpYac behind it: the first line of a script. */
export const scriptStart = /^[ \t]*\{\{(?:@js(?=\s)(?:\s+[+@]?[A-Za-z]+|\s+[+@])?|[+@]?[A-Za-z]*)[ \t]*$/;
export const scriptEnd = /^[ \t]*\}\}[ \t]*$/;

/** Lines that end a body: response handlers, references and kept answers. None can stand inside JSON. */
export const trailerLine =
  /^(?:>\s*\{%|>[ \t]+[^\s{}<>]+\.[A-Za-z]+[ \t]*$|>>!?[ \t]+\S|<>[ \t]+\S|HTTP\/\d(?:\.\d)?[ \t]+\d{3}\b)/m;

/** A line that judges the answer (httpYac). */
export const assertionLine = /^[ \t]*\?\?/;
const assertion = 'Assertions (`??`) are not judged and not sent: write them as `# @expect`.';

/** What is said of scripts, before a request and behind it: other clients run them. */
export const scriptsKept = 'Scripts are kept but not run.';
export const handlersKept = 'Response handlers are kept but not run.';

/** What a line before the body does elsewhere. */
const headLines: readonly (readonly [pattern: RegExp, note: string])[] = [
  [assertionLine, assertion],
  [/^(?:import|run)[ \t]+\S/, 'Other files are not imported or run.'],
  [/^\.\.\.\S/, 'Headers from a variable of a script are not sent.'],
  [/^<[ \t]+\S/, scriptsKept],
];

/** Gives what a line would have done in another client; null: it is none of theirs. */
export function describeForeignLine(text: string, place: 'head' | 'body'): string | null {
  if (place === 'body') return assertionLine.test(text) ? assertion : null;
  return headLines.find(([pattern]) => pattern.test(text))?.[1] ?? null;
}
