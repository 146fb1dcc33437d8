import { spawnSync, type ChildProcess } from 'node:child_process';

/** Variables that hold a secret of ours, or of a store that we open; `PGPASSWORD` is for the team's store. */
const OURS = /^(?:COUNTERSIGN_|PGPASSWORD$)/i;

/** The environment for a program of the user's: without any secret that we were given. */
export function cleanEnvironment(variables: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(variables).filter(([name]) => !OURS.test(name)));
}

/** What an installer needs: where things are, how to get out, and where to fetch from. */
const NEEDED = [
  /^(?:PATH|PATHEXT|HOME|USERPROFILE|APPDATA|LOCALAPPDATA|TMPDIR|TMP|TEMP|SystemRoot|ComSpec|XDG_CACHE_HOME|LANG)$/i,
  /^(?:(?:GLOBAL_AGENT_)?(?:HTTPS?|ALL|NO)_PROXY|NODE_EXTRA_CA_CERTS|NODE_USE_ENV_PROXY|SSL_CERT_(?:FILE|DIR))$/i,
  /^(?:electron_|playwright_|npm_config_(?!.*(?:auth|token|password)))/i,
];

/** The environment for a program that fetches what others have made: nothing that it has no use for. */
export function installerEnvironment(variables: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const isNeeded = (name: string): boolean => NEEDED.some((pattern) => pattern.test(name));
  return Object.fromEntries(Object.entries(variables).filter(([name]) => isNeeded(name)));
}

/**
 * Runs what starts a program that inherits our environment and can be given no other, as Electron opens addresses: what holds a
 * secret is out of it meanwhile.
 */
export function withCleanEnvironment<T>(start: () => T): T {
  const variables = process.env;
  const kept = Object.entries(variables).filter(([name]) => OURS.test(name));
  for (const [name] of kept) Reflect.deleteProperty(variables, name);
  try {
    return start();
  } finally {
    for (const [name, value] of kept) variables[name] = value;
  }
}

/** Windows has no groups: to end a shell there leaves what it has started. */
function killTree(child: ChildProcess): void {
  // The number of one that has ended may be another's by now.
  if (child.exitCode !== null || child.signalCode !== null) return;
  const args = ['/pid', String(child.pid), '/t', '/f'];
  const env = cleanEnvironment(process.env);
  const { status } = spawnSync('taskkill', args, { stdio: 'ignore', windowsHide: true, timeout: 5000, env });
  if (status !== 0) child.kill();
}

/** Ends a child that was started `detached`, and all that it has started. */
export function killGroup(child: ChildProcess, signal: NodeJS.Signals = 'SIGKILL'): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === 'win32') killTree(child);
    else process.kill(-child.pid, signal);
  } catch {
    // It has ended.
  }
}
