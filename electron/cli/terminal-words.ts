import type { ErrorReply } from '@shared/errors';
import { listJoined } from '@shared/joined-errors';

/** What a terminal has in the place of a screen that a message of a service names. */
const words: readonly (readonly [RegExp, string])[] = [
  // What fails outside of a call of the app is in no log.
  [
    /the log in the data directory has the details/g,
    'the log in the data directory, or the same command with COUNTERSIGN_DEBUG=1, has the details',
  ],
  [/Set it in Settings → Updates\./g, 'Set it with countersign update set URL --public-key PEM.'],
  [
    /(local sandbox does not run\b.*?\. )Start it, and try again\./g,
    '$1Start the app (one with a folder of its own needs the same folder here), or name a service with --base-url.',
  ],
  [
    /(Rows are read more than once: save them to a file\.)/g,
    '$1 A data directory is named by --data-directory.',
  ],
  [/Type the word (\w+) to put/g, 'Give --confirm $1 to put'],
  [/the key in Settings → Updates/g, 'the key that countersign update set took'],
  [
    /Unlock it in Keys and tokens\b/g,
    'Give its passphrase in COUNTERSIGN_PASSPHRASE, or unlock it in the app (Keys and tokens)',
  ],
  [
    /(?<!in the app )\b[Ii]n (Keys and tokens|Environments(?:, (?:Connection|Service profile))?)(?![\w-])/g,
    'in the app ($1)',
  ],
];

/** The command or option that goes on from there. */
const nextWords: Readonly<Record<string, string>> = {
  'inbox.unknown': 'countersign inbox list tells the ids.',
  'journey.unknown':
    'That is `countersign status --reference R`. What passed countersign proxy stands in `countersign proxy export`.',
  'keys.none_for_environment': '--key FILE takes one from a file.',
  'web.port_in_use': '--port 0 takes a free one.',
  'proxy.port_in_use': '--port 0 takes a free one.',
  'sandbox.port_in_use': '--port 0 takes a free one, and so does --status-port 0.',
  'listener.port_in_use': '--port 0 takes a free one, and so does --status-port 0.',
};

/** Says for a terminal what a service says for every host: screens become the commands that do the same, or the app's. */
export function toTerminalWords(text: string): string {
  return words.reduce((said, [pattern, by]) => said.replace(pattern, by), text);
}

/** What other programs take a proxy from; in a network that is left by a proxy alone no name is found without it. */
const proxyVariables = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'all_proxy'];

function findNext(code: string, variables: Readonly<Record<string, string | undefined>>): string | undefined {
  if (code !== 'sending.dns') return nextWords[code];
  const given = proxyVariables.find((name) => (variables[name] ?? '') !== '');
  return (
    given &&
    `${given} is not followed: a proxy is set with its environment, in the app (Environments, Connection).`
  );
}

/**
 * The message of an error as the command line prints it.
 *
 * @param variables - of the process
 */
export function describeForTerminal(
  error: Pick<ErrorReply, 'code' | 'message' | 'details'>,
  variables: Readonly<Record<string, string | undefined>> = {},
): string {
  return listJoined(error)
    .flatMap(({ code, message }) => [toTerminalWords(message), findNext(code, variables) ?? []].flat())
    .join(' ');
}
