import { spawn } from 'node:child_process';
import { cliEntry } from '../support/run-cli';

export interface CliResult {
  exitCode: number | null;
  stdout: string;
  stderr: string;
  /** Lines of stdout as JSON. */
  json: Record<string, unknown>[];
}

/** Runs one command of the built command line to its end. */
export function runOnce(
  args: readonly string[],
  options: { input?: string | Uint8Array; env?: Record<string, string>; cwd?: string; isReport?: true } = {},
): Promise<CliResult> {
  return new Promise((resolve, reject) => {
    const env = Object.fromEntries(
      Object.entries(process.env).filter(([name]) => !name.startsWith('COUNTERSIGN_')),
    );
    const child = spawn(process.execPath, [cliEntry, ...args], {
      cwd: options.cwd,
      env: { ...env, ...options.env },
      stdio: ['pipe', 'pipe', 'pipe'],
      timeout: 60_000,
    });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    // A command that refuses its arguments never reads what it was given.
    child.stdin.on('error', () => undefined);
    child.stdin.end(options.input ?? '');
    child.once('error', reject);
    child.once('close', (exitCode) => {
      const lines = stdout.split('\n').filter((line) => line.startsWith('{'));
      const isLines = args.includes('--json') && options.isReport !== true;
      const json = isLines ? lines.map((line) => JSON.parse(line) as Record<string, unknown>) : [];
      resolve({ exitCode, stdout, stderr, json });
    });
  });
}
