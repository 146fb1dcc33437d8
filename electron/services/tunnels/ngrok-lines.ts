/** Other levels tell what goes well, or what ngrok gets over by itself. */
const BAD_LEVEL = /^(?:eror|error|crit)$/i;
/** Said at a milder level, and yet there is no tunnel. */
const NO_TUNNEL = 'failed to start tunnel';
const MOST_TEXT = 200;

/** What keeps ngrok from making a tunnel, as far as a line says it. */
export interface NgrokFailure {
  /** `ERR_NGROK_105`; null: the line names none. */
  readonly code: string | null;
  /** In ngrok's words, without what its user typed in; null: the line has none. */
  readonly text: string | null;
  /** A line of a longer message: it adds to what stood above it. */
  readonly isPart: boolean;
}

/**
 * Other lines name addresses, too: of its documents, of its own web page. Version 2 opens a second tunnel without TLS,
 * whose name says so.
 */
export function findNgrokUrls(line: string): string[] {
  if (!line.includes('started tunnel') || /command_line \(http\)/.test(line)) return [];
  return [...line.matchAll(/(?<=(?:"url":"|\burl="?))https?:\/\/[^\s"\\]+/g)].map(([url]) => url);
}

/** Reads a failure from a line in any of ngrok's formats: JSON, logfmt, the terminal's, and plain text; null: it tells none. */
export function readNgrokFailure(line: string): NgrokFailure | null {
  const plain = /^ERROR:\s*(.*)/s.exec(line)?.[1];
  if (plain !== undefined) return toFailure(plain, true);
  const { level, message, error } = line.startsWith('{') ? readJson(line) : readPairs(line);
  if (error === '' || /^<?nil>?$/.test(error)) return null;
  return BAD_LEVEL.test(level) || message === NO_TUNNEL ? toFailure(error, false) : null;
}

/** Programs name what they were given and refuse: that is a secret. */
export function hideToken(text: string): string {
  return text.replace(/(\bauth[_ -]?token\W{1,4})[\w~.-]{8,}/gi, '$1…');
}

interface LogLine {
  readonly level: string;
  readonly message: string;
  readonly error: string;
}

function readJson(line: string): LogLine {
  try {
    const { lvl, msg, err } = JSON.parse(line) as Record<string, unknown>;
    const text = (value: unknown): string => (typeof value === 'string' ? value : '');
    return { level: text(lvl), message: text(msg), error: text(err) };
  } catch {
    return { level: '', message: '', error: '' };
  }
}

function readPairs(line: string): LogLine {
  const pair = (name: string): string => {
    const found = new RegExp(`(?:^|\\s)${name}=(?:"((?:[^"\\\\]|\\\\.)*)"?|(\\S*))`).exec(line);
    return found === null ? '' : unescapeGo(found[1] ?? found[2] ?? '');
  };
  const inTerminal = /^([A-Z]{4})\[[^\]]*\]\s+(\S+(?: \S+)*)/.exec(line);
  return {
    level: inTerminal?.[1] ?? pair('lvl'),
    message: inTerminal?.[2] ?? pair('msg'),
    error: pair('err'),
  };
}

const unescapeGo = (text: string): string =>
  text.replace(/\\(.)/g, (_all, sign: string) => (/[nrt]/.test(sign) ? '\n' : sign));

function toFailure(message: string, isPart: boolean): NgrokFailure | null {
  const code = /\berr_ngrok_\d+/i.exec(message)?.[0].toUpperCase() ?? null;
  // What follows the first line is advice with addresses, and the authtoken itself.
  const [first = ''] = message
    .split(/[\r\n]+/)
    .map((part) => part.replace(/^authentication failed:\s*/i, '').trim())
    .filter((part) => part !== '');
  const isBare = first === '' || /^(?:https?:\/\/\S*)?(?:ERR_NGROK_\d+)?$/i.test(first);
  const text = isBare || /^your authtoken\b/i.test(first) ? null : hideToken(first).slice(0, MOST_TEXT);
  return code === null && text === null ? null : { code, text, isPart };
}

const NEW_TOKEN = 'copy the authtoken from dashboard.ngrok.com and run: ngrok config add-authtoken TOKEN';

/** What to do, by ngrok's own codes. @source ngrok.com/docs/errors */
const ADVICE: Readonly<Record<string, string>> = {
  ERR_NGROK_105: `The authtoken that ngrok was given is none: ${NEW_TOKEN}`,
  ERR_NGROK_107: `The authtoken that ngrok was given is valid no more: ${NEW_TOKEN}`,
  ERR_NGROK_108: 'This account already has as many ngrok programs running as it may: end another one',
  ERR_NGROK_121: 'This ngrok is too old for its service: run ngrok update, or install the current one',
  ERR_NGROK_334: 'The address is in use by another ngrok of this account: end that one',
  ERR_NGROK_4018: `ngrok wants an account that is signed in: sign up there, ${NEW_TOKEN}`,
};

/** Says in a sentence what is wrong, and what to do about it. */
export function describeNgrokFailure({ code, text }: Pick<NgrokFailure, 'code' | 'text'>): string {
  const advice = code === null ? undefined : ADVICE[code];
  if (advice !== undefined) return `${advice} (${code}).`;
  const said = (text ?? '').replace(/(?<![.:\s])[.:\s]+$/, '');
  if (code !== null) {
    const where = `see ngrok.com/docs/errors/${code.toLowerCase()}`;
    return `ngrok refuses${said === '' ? '' : `: ${said}`} (${code}): ${where}.`;
  }
  if (/x509|certificate/i.test(said)) {
    return `Something on the way to ngrok shows a certificate of its own (${said}): set root_cas: host in ngrok's configuration.`;
  }
  if (NETWORK.test(said)) {
    return `ngrok does not reach its service (${said}): look at the network, the proxy and the firewall.`;
  }
  return `ngrok says: ${said}.`;
}

const NETWORK =
  /\b(?:dial|tcp|tls|lookup|proxyconnect|i\/o|timeout|EOF|connection|network|remote|heartbeat)\b/i;

/** What the lines of one ngrok say is wrong: the last failure, put together where it stands in several lines. */
export class NgrokFailures {
  #last: Pick<NgrokFailure, 'code' | 'text'> | null = null;

  take(line: string): void {
    const failure = readNgrokFailure(line);
    if (failure === null) return;
    const { code, text, isPart } = failure;
    const above = isPart ? this.#last : null;
    this.#last = { code: code ?? above?.code ?? null, text: above?.text ?? text };
  }

  /** In a sentence that says what to do; null: nothing is known to be wrong. */
  read(): string | null {
    return this.#last === null ? null : describeNgrokFailure(this.#last);
  }

  /** It has a tunnel now. */
  forget(): void {
    this.#last = null;
  }
}
