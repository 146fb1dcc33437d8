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
};

/** Gives what an annotation would have done elsewhere; null: it is one of ours, or only informs. */
export function describeForeignAnnotation(name: string): string | null {
  const key = name.replace(/[-_]/g, '').toLowerCase();
  return Object.hasOwn(annotations, key) ? annotations[key]! : null;
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
export const scriptStart = /^[ \t]*\{\{(?:@js\s+)?[+@]?[A-Za-z]*[ \t]*$/;
export const scriptEnd = /^[ \t]*\}\}[ \t]*$/;

/** Lines that end a body: response handlers, references and kept answers. None can stand inside JSON. */
export const trailerLine =
  /^(?:>\s*\{%|>[ \t]+[^\s{}<>]+\.[A-Za-z]+[ \t]*$|>>!?[ \t]+\S|<>[ \t]+\S|HTTP\/\d(?:\.\d)?[ \t]+\d{3}\b)/m;

/** A line that judges the answer (httpYac). */
export const assertionLine = /^[ \t]*\?\?/;
const assertion = 'Assertions (`??`) are not judged and not sent: write them as `# @expect`.';

/** What a line before the body does elsewhere. */
const headLines: readonly (readonly [pattern: RegExp, note: string])[] = [
  [assertionLine, assertion],
  [/^(?:import|run)[ \t]+\S/, 'Other files are not imported or run.'],
  [/^\.\.\.\S/, 'Headers from a variable of a script are not sent.'],
  [/^<[ \t]+\S/, 'Scripts are kept but not run.'],
];

/** Gives what a line would have done in another client; null: it is none of theirs. */
export function describeForeignLine(text: string, place: 'head' | 'body'): string | null {
  if (place === 'body') return assertionLine.test(text) ? assertion : null;
  return headLines.find(([pattern]) => pattern.test(text))?.[1] ?? null;
}
