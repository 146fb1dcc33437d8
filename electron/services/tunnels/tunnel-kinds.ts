import { maskSecrets } from '@shared/mask-secrets';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { AppError } from '@shared/errors';
import { findNgrokUrls, NgrokFailures } from './ngrok-lines';

/** What a tunnel leads to: the listener, and nothing else. */
export interface TunnelTarget {
  readonly port: number;
  readonly isHttps: boolean;
}

/** One way to a public address, as it is started. */
export interface TunnelPlan {
  /** Program and its arguments; or a command of the user's, for the shell. */
  readonly command: { readonly file: string; readonly args: readonly string[] } | { readonly shell: string };
  /** Finds public addresses in a line that the program printed. */
  findUrls(line: string): readonly string[];
  /** An address that is known before the program says anything. */
  readonly knownUrl: string | null;
  /** Reads from its lines what is wrong; null: the last line that it printed says it best. */
  createFailures: (() => NgrokFailures) | null;
}

/** What `--tunnel` says: which way, and to where. */
export type TunnelChoice =
  | { readonly kind: 'ssh'; readonly host: string; readonly port: number }
  | { readonly kind: 'cloudflared' }
  | { readonly kind: 'ngrok' }
  | { readonly kind: 'cmd'; readonly command: string };

const HOST = /^(?!-)[A-Za-z0-9._%@-]+$|^(?:[A-Za-z0-9._%-]+@)?\[[0-9A-Fa-f:.]+\]$/;

/** Where a program that makes tunnels is to be had. */
const ADVICE = {
  ssh: 'Install OpenSSH (openssh-client)',
  cloudflared: 'Install it (developers.cloudflare.com, "cloudflared")',
  ngrok: 'Install it (ngrok.com/download) and sign in with ngrok config add-authtoken',
} as const;

/**
 * Reads how a tunnel is asked for: `ssh:HOST[:PORT]`, `cloudflared`, `ngrok`, `cmd:COMMAND`.
 *
 * @throws {AppError} `tunnels.bad_choice`
 */
export function parseTunnelChoice(text: string): TunnelChoice {
  if (text === 'cloudflared' || text === 'ngrok') return { kind: text };
  if (text.startsWith('cmd:') && text.slice(4).trim() !== '') return { kind: 'cmd', command: text.slice(4) };
  const [, host = '', port = '0'] = /^ssh:(.*?)(?::(\d{1,5}))?$/.exec(text) ?? [];
  if (HOST.test(host) && Number(port) <= 65_535) return { kind: 'ssh', host, port: Number(port) };
  throw new AppError(
    'tunnels.bad_choice',
    `A tunnel is ssh:HOST, ssh:HOST:PORT, cloudflared, ngrok or cmd:COMMAND, not '${text.slice(0, 80)}'.`,
  );
}

/** Makes sure that the program of a tunnel is on this machine. @throws {AppError} `tunnels.not_found` */
export function requireProgram({ kind }: TunnelChoice, variables: NodeJS.ProcessEnv = process.env): void {
  if (kind === 'cmd' || hasProgram(kind, variables)) return;
  throw new AppError(
    'tunnels.not_found',
    `There is no ${kind} in the PATH of this machine. ${ADVICE[kind]}, or use another way: ssh:HOST, cloudflared, ngrok, cmd:COMMAND.`,
  );
}

/** What Windows starts without a shell. */
const startable: readonly string[] = ['.exe', '.com'];

/** Tells whether the shell alone starts a program, as Windows has it with those that npm installs: `ngrok.cmd`. */
export const needsShell = (name: string, variables: NodeJS.ProcessEnv = process.env): boolean =>
  process.platform === 'win32' && hasProgram(name, variables) && !hasProgram(name, variables, startable);

export function hasProgram(
  name: string,
  variables: NodeJS.ProcessEnv = process.env,
  endings: readonly string[] = process.platform === 'win32'
    ? (variables['PATHEXT'] ?? '.EXE;.CMD').split(';')
    : [''],
): boolean {
  return (variables['PATH'] ?? '')
    .split(delimiter)
    .some((folder) => folder !== '' && endings.some((ending) => existsSync(join(folder, name + ending))));
}

/**
 * Plans a tunnel to the listener's port.
 *
 * @param sshHostname - name that the host of `ssh` has by the user's own configuration
 */
export function planTunnel(choice: TunnelChoice, target: TunnelTarget, sshHostname: string): TunnelPlan {
  const origin = `${target.isHttps ? 'https' : 'http'}://127.0.0.1:${target.port}`;
  switch (choice.kind) {
    case 'ssh':
      return planSsh(choice, target, sshHostname);
    case 'cloudflared': {
      const args = ['tunnel', '--no-autoupdate', '--no-tls-verify', '--url', origin];
      return plan('cloudflared', args, findAll(/https:\/\/(?!api\.)[a-z0-9-]+\.trycloudflare\.com/g));
    }
    case 'ngrok': {
      const args = ['http', origin, '--log', 'stdout', '--log-format', 'json'];
      return { ...plan('ngrok', args, findNgrokUrls), createFailures: () => new NgrokFailures() };
    }
    case 'cmd':
      return {
        command: { shell: choice.command },
        knownUrl: null,
        createFailures: null,
        findUrls: (line) =>
          findAll(ANY_URL)(line).filter((url) => !isListener(url, target.port) && !hasCredential(url)),
      };
  }
}

const ANY_URL = /https?:\/\/[^\s"'<>|\\^`{}()]*[^\s"'<>|\\^`{}().,;:!?]/g;

function plan(file: string, args: readonly string[], findUrls: TunnelPlan['findUrls']): TunnelPlan {
  return { command: { file, args }, findUrls, knownUrl: null, createFailures: null };
}

function planSsh(
  { host, port }: Extract<TunnelChoice, { kind: 'ssh' }>,
  target: TunnelTarget,
  hostname: string,
): TunnelPlan {
  const scheme = target.isHttps ? 'https' : 'http';
  const shownHost = hostname.includes(':') ? `[${hostname}]` : hostname;
  const options = [
    'ExitOnForwardFailure=yes',
    // Nobody is there to answer a question.
    'BatchMode=yes',
    'ConnectTimeout=10',
    'ServerAliveInterval=5',
    'ServerAliveCountMax=2',
    'LogLevel=INFO',
  ];
  const args = [
    '-N',
    '-T',
    ...options.flatMap((option) => ['-o', option]),
    '-R',
    `*:${port}:127.0.0.1:${target.port}`,
    '--',
    host.replace(/\[([^[]*)\]$/, '$1'),
  ];
  return {
    command: { file: 'ssh', args },
    knownUrl: port === 0 ? null : `${scheme}://${shownHost}:${port}`,
    createFailures: null,
    findUrls(line) {
      const allocated = /^Allocated port (\d+) for remote forward/.exec(line)?.[1];
      return allocated === undefined ? [] : [`${scheme}://${shownHost}:${allocated}`];
    },
  };
}

function findAll(pattern: RegExp): (line: string) => string[] {
  return (line) => [...line.matchAll(pattern)].map(([url]) => url);
}

/**
 * Whether an address says who asks, or holds a secret in its query: it becomes `{{callback_url}}`, is shown, and is handed to the
 * service, with the secret in it.
 */
function hasCredential(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username !== '' || password !== '' || maskSecrets(text) !== text;
}

/** Takes user names, passwords and secrets out of a line that a program printed. */
export function hideCredentials(line: string): string {
  return maskSecrets(line.replace(CREDENTIAL, '$1…@'));
}

/** Greedy: a password may hold an @ that was not escaped. */
const CREDENTIAL = /([a-z][a-z0-9+.-]{0,20}:\/\/)[^\s"'<>/?#]*@/gi;

/** Whether a line names an address that is not used, as it would show a secret. */
export function namesCredential(line: string): boolean {
  return line.search(CREDENTIAL) !== -1 || findAll(ANY_URL)(line).some(hasCredential);
}

/** Programs like to print where they lead to: that address would answer, and is no tunnel. */
function isListener(text: string, port: number): boolean {
  if (!URL.canParse(text)) return true;
  const { hostname, port: own } = new URL(text);
  return own === String(port) && /^(?:localhost|127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[::1?\])$/.test(hostname);
}
