import { execFile, spawn, type ChildProcess } from 'node:child_process';
import type { Readable } from 'node:stream';
import { promisify, stripVTControlCharacters } from 'node:util';
import { cleanEnvironment, killGroup } from '../../platform/child-processes';
import { startWithUs } from '../../platform/end-with-us';
import { hideToken } from './ngrok-lines';
import {
  hideCredentials,
  namesCredential,
  needsShell,
  type TunnelChoice,
  type TunnelPlan,
  type TunnelTarget,
} from './tunnel-kinds';

/** A line that is longer is cut: addresses stand in short ones. */
const MAX_LINE = 8192;
const KEPT_LINES = 5;
/** What a program prints beyond this in a quarter of a second has to wait: a flood must not take the processor. */
const MAX_LENGTH_A_WINDOW = 512 * 1024;
const WINDOW_MS = 250;
/** A line that is not ended is taken as one after so long, as of a command that prints its address alone. */
const UNENDED_MS = 1000;
const GOODBYE_MS = 2000;

const SHOWS_PASSWORD =
  "The tunnel's program printed an address with a user name or password, or a secret in its query. It would be shown, and handed to " +
  'the service, so it is not used: have the program print the address without them.';

/** A program that makes a tunnel, running. */
export interface TunnelProcess {
  readonly pid: number | null;
  /** Resolves with how it ended. */
  readonly ended: Promise<string>;
  /** What it says is wrong, and what to do about it; null: nothing, or it has a tunnel by now. */
  readFailure(): string | null;
  /** Its tunnel works: what it said before is over. */
  forgetFailure(): void;
  /** Ends it and all that it has started. */
  stop(): Promise<void>;
  /** At once, where nothing can be waited for. */
  kill(): void;
}

/** @param onUrl - told of each address that it prints */
export function startTunnelProcess(
  plan: TunnelPlan,
  { port, isHttps }: TunnelTarget,
  onUrl: (url: string) => void,
): TunnelProcess {
  const options = {
    stdio: ['ignore', 'pipe', 'pipe'] as ['ignore', 'pipe', 'pipe'],
    env: {
      ...cleanEnvironment(process.env),
      COUNTERSIGN_PORT: String(port),
      COUNTERSIGN_URL: `${isHttps ? 'https' : 'http'}://127.0.0.1:${port}`,
    },
    // A group of its own: whatever it started ends with it.
    detached: process.platform !== 'win32',
    windowsHide: true,
  };
  const { command } = plan;
  const child = startWithUs(() =>
    'shell' in command
      ? spawn(command.shell, { ...options, shell: true })
      : spawn(command.file, command.args, { ...options, shell: needsShell(command.file) }),
  );
  const kept: string[] = [];
  const failures = plan.createFailures?.() ?? null;
  let refused: string | null = null;
  const takeLine = (line: string): void => {
    const text = stripVTControlCharacters(line).trim();
    if (text === '') return;
    failures?.take(text);
    if (namesCredential(text)) refused = SHOWS_PASSWORD;
    kept.push(hideCredentials(hideToken(text)).slice(0, 200));
    if (kept.length > KEPT_LINES) kept.shift();
    plan.findUrls(text).forEach(onUrl);
  };
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(`it could not be started: ${error.message}`));
    child.once('exit', (code, signal) => {
      const how = code === null ? `it was ended by ${signal}` : `it ended with exit code ${code}`;
      // What it said last is still in the pipe.
      setTimeout(() => resolve(kept.length === 0 ? how : `${how}: ${kept.at(-1)}`), 50);
    });
  });
  // One that could not be started has no pipes, where no more files can be opened.
  if (child.pid !== undefined) {
    readLines(child.stdout, takeLine);
    readLines(child.stderr, takeLine);
  }
  return {
    pid: child.pid ?? null,
    ended,
    readFailure: () => failures?.read() ?? refused,
    forgetFailure() {
      failures?.forget();
      refused = null;
    },
    kill: () => killGroup(child),
    stop: () => stopChild(child, ended),
  };
}

async function stopChild(child: ChildProcess, ended: Promise<string>): Promise<void> {
  killGroup(child, 'SIGTERM');
  const timer = setTimeout(() => killGroup(child), GOODBYE_MS);
  await ended;
  clearTimeout(timer);
  // What it has started may have stayed.
  killGroup(child);
}

function readLines(stream: Readable, take: (line: string) => void): void {
  let rest = '';
  let length = 0;
  const takeRest = (): void => {
    const line = rest;
    rest = '';
    take(line.slice(0, MAX_LINE));
  };
  let idle: NodeJS.Timeout | undefined;
  stream.setEncoding('utf8');
  stream.on('error', () => undefined);
  stream.once('end', takeRest);
  stream.once('close', () => clearTimeout(idle));
  stream.on('data', (chunk: string) => {
    if (length === 0) setTimeout(() => ((length = 0), stream.resume()), WINDOW_MS);
    length += chunk.length;
    if (length > MAX_LENGTH_A_WINDOW) stream.pause();
    const lines = (rest + chunk).split(/[\r\n]+/);
    rest = lines.pop()!.slice(-MAX_LINE);
    for (const line of lines) take(line.slice(0, MAX_LINE));
    clearTimeout(idle);
    if (rest !== '') idle = setTimeout(takeRest, UNENDED_MS).unref();
  });
}

/** The name that a host has by the user's own configuration of `ssh`; its own where that cannot be had. */
export async function resolveSshHostname(choice: TunnelChoice): Promise<string> {
  if (choice.kind !== 'ssh') return '';
  const plain = choice.host.replace(/^.*@/, '').replace(/^\[(.*)\]$/, '$1');
  try {
    const host = choice.host.replace(/\[([^[]*)\]$/, '$1');
    const { stdout } = await promisify(execFile)('ssh', ['-G', '--', host], {
      timeout: 5000,
      env: cleanEnvironment(process.env),
    });
    return /^hostname (\S+)$/m.exec(stdout)?.[1] ?? plain;
  } catch {
    return plain;
  }
}
