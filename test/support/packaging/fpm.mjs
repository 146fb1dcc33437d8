#!/usr/bin/env node
/**
 * Stands in for fpm, which electron-builder fetches to make a deb or an rpm of a folder: the same arguments, and Debian's own
 * tools underneath (dpkg-deb, rpmbuild). For tests, where fpm cannot be had.
 */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';

const switches = new Set(['--force', '--debug']);

/** Options by name, each with all its values, and what is copied where. */
function readArguments(words) {
  const options = {};
  const copies = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at];
    if (switches.has(word)) continue;
    if (word.startsWith('-')) (options[word] ??= []).push(words[(at += 1)]);
    else copies.push(word.split('='));
  }
  return { options, copies };
}

function run(command, args) {
  const { status, stderr, error } = spawnSync(command, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command}: ${error?.message ?? stderr}`);
}

function copyInto(root, copies) {
  for (const [from, to] of copies) {
    const target = join(root, to);
    mkdirSync(dirname(target), { recursive: true });
    cpSync(from, target, { recursive: true, verbatimSymlinks: true });
  }
}

function makeDeb(root, one, options) {
  const folder = join(root, 'DEBIAN');
  mkdirSync(folder);
  const fields = {
    Package: one('--name'),
    Version: one('--version'),
    License: one('--license'),
    Vendor: one('--vendor'),
    Architecture: one('--architecture'),
    Maintainer: one('--maintainer'),
    Depends: options['-d']?.join(', '),
    Recommends: options['--deb-recommends']?.join(', '),
    Section: one('--category') ?? 'default',
    Priority: one('--deb-priority'),
    Homepage: one('--url'),
    Description: one('--description'),
  };
  const lines = Object.entries(fields).filter(([, value]) => value);
  writeFileSync(join(folder, 'control'), `${lines.map(([name, value]) => `${name}: ${value}`).join('\n')}\n`);
  const scripts = { postinst: one('--after-install'), postrm: one('--after-remove') };
  for (const [name, from] of Object.entries(scripts)) {
    cpSync(from, join(folder, name));
    chmodSync(join(folder, name), 0o755);
  }
  // Fast rather than small: it is thrown away.
  run('dpkg-deb', ['--root-owner-group', '-Zgzip', '-z1', '--build', root, one('--package')]);
}

function makeRpm(root, one, options) {
  const folder = mkdtempSync(join(tmpdir(), 'fpm-rpm-'));
  const spec = join(folder, 'one.spec');
  const places = readdirSync(root).map((name) => `"/${name}"`);
  writeFileSync(
    spec,
    [
      '%define __spec_install_post %{nil}',
      '%define _build_id_links none',
      '%define _binary_payload w1.gzdio',
      'AutoReqProv: no',
      `Name: ${one('--name')}`,
      `Version: ${one('--version').replaceAll('-', '_')}`,
      'Release: 1',
      `Summary: ${one('--rpm-summary') ?? one('--name')}`,
      `License: ${one('--license')}`,
      `URL: ${one('--url')}`,
      ...(options['-d'] ?? []).map((name) => `Requires: ${name}`),
      `%description\n${one('--description')}`,
      `%install\nmkdir -p %{buildroot} && cp -a ${root}/. %{buildroot}/`,
      `%post -p /bin/bash\n${readFileSync(one('--after-install'), 'utf8')}`,
      `%postun -p /bin/bash\n${readFileSync(one('--after-remove'), 'utf8')}`,
      `%files\n${places.join('\n')}`,
      '',
    ].join('\n'),
  );
  run('rpmbuild', ['-bb', '--define', `_topdir ${folder}`, spec]);
  const made = readdirSync(join(folder, 'RPMS'), { recursive: true, encoding: 'utf8' }).find((path) =>
    path.endsWith('.rpm'),
  );
  cpSync(join(folder, 'RPMS', made), one('--package'));
  rmSync(folder, { recursive: true, force: true });
}

const { options, copies } = readArguments(process.argv.slice(2));
const one = (name) => options[name]?.at(-1);
const makers = { deb: makeDeb, rpm: makeRpm };
const make = makers[one('-t')];
if (!make || one('-s') !== 'dir') {
  console.error(`${basename(process.argv[1])} stands in for fpm -s dir -t deb|rpm alone`);
  process.exit(1);
}
const root = mkdtempSync(join(tmpdir(), 'fpm-root-'));
chmodSync(root, 0o755);
copyInto(root, copies);
make(root, one, options);
rmSync(root, { recursive: true, force: true });
