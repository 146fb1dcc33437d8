import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { because } from '../support/programs';
import { listBlocks, listCommands, listPages, readMeaning, type DocsBlock } from '../support/docs-blocks';
import { findFreePort } from '../support/free-port';
import { cliEntry, projectRoot } from '../support/run-cli';
import { makeTemporaryFolder } from '../support/temporary';

/** Ports that commands take where none is named. */
const USUAL_PORTS = { sandbox: '4010', listen: '4020', proxy: '4030' };
const PORT = /(?<=127\.0\.0\.1:|-port |PORT=)\d{4}\b/g;

/** What every session begins with; each step names the place that it is from. */
const PRELUDE = `set -Eeuo pipefail
place=start; held=
trap 'echo "$place: failed at: $BASH_COMMAND" >&2; [ -z "$held" ] || cat "$held" >&2' ERR
hold() { held=$1; for ((i = 0; i < 300; i++)); do [ -s "$1" ] && return; kill -0 $! 2>/dev/null || break; sleep 0.1; done
  echo "$place: did not stay" >&2; cat "$1" >&2; exit 1; }
end() { kill $! 2>/dev/null && wait $! 2>/dev/null; true; }
`;

/** Writes what a block becomes in the session of its page. */
function toSteps({ place, info, code }: DocsBlock, index: number): string {
  const meaning = readMeaning(info)!;
  if (meaning.kind === 'not run') return '';
  if (meaning.kind === 'ends') {
    const check = `[ $? = ${meaning.exitCode} ] || { echo "${place}: another exit code" >&2; exit 1; }`;
    return `place=${place}\n${meaning.exitCode === 0 ? code : `trap - ERR; set +e\n${code}${check}; set -e`}\n`;
  }
  return listCommands(code)
    .map((command, place_) => {
      const log = `stays-${index}-${place_}.log`;
      return `place=${place}\n${place_ > 0 ? 'end\n' : ''}${command.replace(/ +#.*$/, '')} > ${log} 2>&1 &\nhold ${log}`;
    })
    .join('\n');
}

/** Gives every port that is named, and the usual ones, a free one: the machine may use them. */
async function takeFreePorts(script: string): Promise<{ script: string; ports: Map<string, string> }> {
  const named = new Set([...(script.match(PORT) ?? []), ...Object.values(USUAL_PORTS)]);
  const ports = new Map<string, string>();
  for (const port of named) ports.set(port, String(await findFreePort()));
  return { script: script.replace(PORT, (port) => ports.get(port)!), ports };
}

/** Makes a home with the package's own files, and `countersign` in the path. */
function makeHome(ports: ReadonlyMap<string, string>): { folder: string; env: NodeJS.ProcessEnv } {
  const folder = makeTemporaryFolder('docs');
  cpSync(join(projectRoot, 'resources'), join(folder, 'resources'), { recursive: true });
  mkdirSync(join(folder, 'bin'));
  const usual = Object.entries(USUAL_PORTS).map(([name, port]) => `${name}) usual=${ports.get(port)!} ;;`);
  const program = `#!/bin/bash
usual=; case "\${1-} \${2-}" in *snapshot|*export) ;; *) case "\${1-}" in ${usual.join(' ')} esac ;; esac
case " $* " in *' --port '*|*' --help '*) usual= ;; esac
exec "${process.execPath}" "${cliEntry}" "$@" \${usual:+--port $usual}
`;
  writeFileSync(join(folder, 'bin', 'countersign'), program);
  chmodSync(join(folder, 'bin', 'countersign'), 0o755);
  const modules = join(projectRoot, 'node_modules', '.bin');
  const path = `${join(folder, 'bin')}:${modules}:${process.env['PATH']}`;
  return { folder, env: { PATH: path, HOME: folder, LANG: 'C.UTF-8' } };
}

/** Ends what stayed, and waits for it: an app that is ending writes into the home that is about to be removed. */
async function endGroup(pid: number): Promise<void> {
  try {
    process.kill(-pid, 'SIGTERM');
    for (let left = 100; left > 0; left -= 1) {
      await delay(100);
      process.kill(-pid, 0);
    }
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Nothing is left of it.
  }
}

async function runSession(blocks: readonly DocsBlock[]): Promise<{ code: number | null; output: string }> {
  const { script, ports } = await takeFreePorts(`${PRELUDE}${blocks.map(toSteps).join('\n')}\n`);
  const { folder, env } = makeHome(ports);
  writeFileSync(join(folder, 'session.sh'), script);
  // A group of its own: what stays ends with it. Its output goes to a file, which nothing left behind can hold open.
  const run = spawn('bash', ['-c', 'bash session.sh > session.log 2>&1'], {
    cwd: folder,
    env,
    detached: true,
    stdio: 'ignore',
  });
  const timer = setTimeout(() => process.kill(-run.pid!, 'SIGTERM'), 120_000);
  const [code] = (await once(run, 'exit')) as [number | null];
  clearTimeout(timer);
  await endGroup(run.pid!);
  return { code, output: readFileSync(join(folder, 'session.log'), 'utf8') };
}

const sessions = listPages()
  .map((page) => ({ page, blocks: listBlocks(page).filter(({ language }) => language === 'sh') }))
  .filter(({ blocks }) => blocks.some(({ info }) => readMeaning(info)?.kind !== 'not run'));

describe.concurrent('the commands of the docs', () => {
  it.for(sessions)('work as copied: $page', async ({ blocks }, { skip }) => {
    skip(
      ...because(
        ...['bash', 'curl', 'openssl', 'ssh'].filter((name) =>
          blocks.some(({ code }) => code.includes(name)),
        ),
      ),
    );
    const { code, output } = await runSession(blocks);
    expect(code, output).toBe(0);
  });
});
