/**
 * `npm run sign-release -- FOLDER --key release.pem [--notes FILE]`: writes `latest.json` and `latest.json.sig` beside the packages in
 * a folder (`dist`). Whoever serves that folder is a publisher; whoever sets its address and public key is asked from there.
 *
 * The key is Ed25519: `openssl genpkey -algorithm ed25519 -out release.pem`, and `openssl pkey -in release.pem -pubout` for the users.
 */
import { createHash, createPrivateKey, sign } from 'node:crypto';
import { createReadStream, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from './build-if-stale.mjs';

const systems = { deb: 'linux', rpm: 'linux', AppImage: 'linux', dmg: 'darwin', zip: 'darwin', exe: 'win32' };
const archs = {
  amd64: 'x64',
  x86_64: 'x64',
  x64: 'x64',
  arm64: 'arm64',
  aarch64: 'arm64',
  universal: 'universal',
};

/** For which system and processor a package is, by its name; null: it is no package. */
function describe(name) {
  const system = systems[name.split('.').at(-1)];
  const arch = Object.entries(archs).find(([word]) => name.includes(word))?.[1] ?? 'x64';
  return system === undefined ? null : { system, arch };
}

async function hash(file) {
  const sha512 = createHash('sha512');
  for await (const chunk of createReadStream(file)) sha512.update(chunk);
  return sha512.digest('hex');
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { key: { type: 'string' }, notes: { type: 'string' } },
});
const [folder] = positionals;
if (folder === undefined || values.key === undefined) {
  console.error('Say which folder, and with which key: npm run sign-release -- dist --key release.pem');
  process.exit(2);
}
const key = createPrivateKey(readFileSync(values.key));
if (key.asymmetricKeyType !== 'ed25519') {
  console.error(`${values.key} is ${key.asymmetricKeyType}; a release is signed with Ed25519.`);
  process.exit(2);
}
const files = [];
for (const name of readdirSync(folder)) {
  const made = describe(name);
  if (made === null) continue;
  const file = join(folder, name);
  files.push({ name, ...made, size: statSync(file).size, sha512: await hash(file) });
}
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const notes = values.notes === undefined ? '' : readFileSync(values.notes, 'utf8');
const released = new Date().toISOString().slice(0, 10);
const notice = Buffer.from(JSON.stringify({ app: 'countersign', version, released, notes, files }, null, 2));
writeFileSync(join(folder, 'latest.json'), notice);
writeFileSync(join(folder, 'latest.json.sig'), sign(null, notice, key).toString('base64'));
console.log(`${version}: ${files.length} files are told of in ${join(folder, 'latest.json')}.`);
