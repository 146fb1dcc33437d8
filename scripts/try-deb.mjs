/**
 * `npm run try-deb`: builds the deb, installs it with all it depends on into a clean Debian made for it, and starts the app there
 * as an ordinary user, within Chromium's sandbox, until it says that it is ready. Needs root, debootstrap and Debian's archive.
 *
 * Where fpm cannot be fetched, `CUSTOM_FPM_PATH=test/support/packaging/fpm.mjs` stands in for it.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { cleanEnvironment } from './clean-environment.mjs';
import { root } from './build-if-stale.mjs';

const SUITE = 'bookworm';
const MOST_SECONDS_TO_READY = 60;

function run(command, args, options = {}) {
  const { status, error } = spawnSync(command, args, {
    stdio: 'inherit',
    env: cleanEnvironment(),
    ...options,
  });
  if (status !== 0) throw new Error(`${command} ${args[0]} failed: ${error?.message ?? `code ${status}`}`);
}

function findReasonNotTo() {
  if (process.platform !== 'linux') return 'a deb is tried on Linux';
  if (process.getuid() !== 0) return 'a clean root is made by root alone: run it as root';
  const { error } = spawnSync('debootstrap', ['--version'], { env: cleanEnvironment() });
  return error ? 'install debootstrap' : null;
}

function makeDeb(folder) {
  const stand = process.env.CUSTOM_FPM_PATH;
  run(
    process.execPath,
    [join(root, 'scripts/package.mjs'), '--linux', 'deb', `-c.directories.output=${folder}`],
    {
      env: { ...cleanEnvironment(), ...(stand ? { CUSTOM_FPM_PATH: resolve(stand) } : {}) },
    },
  );
  return join(
    folder,
    readdirSync(folder).find((name) => name.endsWith('.deb')),
  );
}

/** What is started in the clean root: prints the line that says the app is ready, and how long that took. */
const start = `
cd "$HOME" && export DISPLAY=:97
Xvfb :97 -screen 0 1280x800x24 > screen.txt 2>&1 & screen=$!
began=$(date +%s%N)
countersign --data "$HOME/data" > ready.txt 2> errors.txt & app=$!
for n in $(seq ${MOST_SECONDS_TO_READY * 10}); do grep -q '"event":"ready"' ready.txt && break; sleep 0.1; done
ended=$(date +%s%N)
kill $app; wait $app; kill $screen; wait $screen
grep '"event":"ready"' ready.txt || { tail -5 errors.txt; exit 1; }
echo "ready after $(( (ended - began) / 1000000 )) ms"
`;

function tryIn(clean, deb) {
  const inside = (...command) => run('chroot', [clean, ...command]);
  copyFileSync(deb, join(clean, 'tmp', 'countersign.deb'));
  copyFileSync('/etc/resolv.conf', join(clean, 'etc', 'resolv.conf'));
  const install =
    'apt-get update -qq && apt-get install -y -qq --no-install-recommends /tmp/countersign.deb xvfb';
  inside('sh', '-c', `export DEBIAN_FRONTEND=noninteractive; ${install}`);
  inside('useradd', '--create-home', 'newcomer');
  writeFileSync(join(clean, 'tmp', 'start.sh'), start);
  run('chroot', ['--userspec=newcomer', clean, 'env', 'HOME=/home/newcomer', 'bash', '/tmp/start.sh']);
}

const reason = findReasonNotTo();
if (reason) {
  console.error(`try-deb: not tried: ${reason}`);
  process.exit(2);
}
const folder = mkdtempSync(join(tmpdir(), 'countersign-deb-'));
const clean = join(folder, 'root');
const mounted = [];
const mount = (at, ...args) => {
  run('mount', [...args, join(clean, at)]);
  mounted.push(join(clean, at));
};
try {
  const deb = makeDeb(folder);
  console.log(`${deb.split('/').at(-1)}: ${(statSync(deb).size / 2 ** 20).toFixed(0)} MiB`);
  run('debootstrap', ['--variant=minbase', SUITE, clean]);
  mount('proc', '--bind', '/proc');
  mount('dev', '--bind', '/dev');
  mount('dev/shm', '-t', 'tmpfs', '-o', 'mode=1777', 'tmpfs');
  tryIn(clean, deb);
} finally {
  for (const at of mounted.toReversed()) run('umount', [at]);
  // Only what is no longer bound to this machine is deleted: a mount that stayed has thrown above.
  rmSync(folder, { recursive: true, force: true });
}
