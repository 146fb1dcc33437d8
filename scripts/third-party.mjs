/**
 * `npm run third-party`: writes THIRD-PARTY.md (what is shipped, with its licences) and sbom.cdx.json (the same as a
 * software bill of materials, CycloneDX) from what the build bundled and what is installed beside it.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';
import { buildIfStale, root } from './build-if-stale.mjs';
import { listShipped, readLicenceTexts } from './list-shipped.mjs';

/** What a bundler lists of its own parts is not in what it adds to a bundle. */
const ofOwnParts = /^# Licenses of bundled dependencies$/m;

/** Gives the page: a table of all packages, then each text once, with those that it is for. */
export function writeThirdParty(shipped, readTexts) {
  const texts = new Map();
  for (const one of shipped)
    for (const { name, text } of readTexts(one)) {
      const kept = text.split(ofOwnParts)[0].trim();
      texts.set(kept, [...(texts.get(kept) ?? []), `${one.name} ${one.version} (${name})`]);
    }
  const rows = shipped.map(
    ({ name, version, license, use }) => `| ${name} | ${version} | ${license} | ${use} |`,
  );
  const sections = [...texts].map(
    ([text, owners]) => `## ${owners.join(', ')}\n\n\`\`\`\`text\n${text}\n\`\`\`\`\n`,
  );
  return `# Third-party software

What Countersign ships that others wrote. Made by \`npm run third-party\` from the graph of the built bundle and the lockfile. _Bundled_ is part of
the files in \`out/\`; _installed_ comes beside them. The prebuilt \`@libsql/…\` of a system holds libSQL (MIT) and SQLite (in the public domain) under
the licence of \`libsql\`. The packaged desktop app has Electron and Chromium with it, whose licences lie beside it (\`LICENSE.electron.txt\`,
\`LICENSES.chromium.html\`).

| package | version | licence | how |
| --- | --- | --- | --- |
${rows.join('\n')}

${sections.join('\n')}`;
}

/** Gives the bill of materials. The same input gives the same bytes: it has no time and no random number. */
export function writeBillOfMaterials(shipped, { name, version, license }) {
  const toHex = (integrity) => Buffer.from(integrity.replace(/^sha512-/, ''), 'base64').toString('hex');
  const toUrl = (one) => `pkg:npm/${one.name.replace(/^@/, '%40')}@${one.version}`;
  const toLicence = (text) =>
    / OR | AND /.test(text) ? { expression: text.replace(/^\((.*)\)$/, '$1') } : { license: { id: text } };
  const components = shipped.map((one) => ({
    type: 'library',
    'bom-ref': toUrl(one),
    name: one.name,
    version: one.version,
    scope: 'required',
    licenses: [toLicence(one.license)],
    purl: toUrl(one),
    ...(one.integrity?.startsWith('sha512-')
      ? { hashes: [{ alg: 'SHA-512', content: toHex(one.integrity) }] }
      : {}),
    properties: [{ name: 'countersign:use', value: one.use }],
  }));
  const ref = `pkg:npm/${name}@${version}`;
  const bill = {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: {
      component: {
        type: 'application',
        'bom-ref': ref,
        name,
        version,
        purl: ref,
        licenses: [{ license: { id: license } }],
      },
    },
    components,
    dependencies: [{ ref, dependsOn: components.map((one) => one['bom-ref']) }],
  };
  return `${JSON.stringify(bill, null, 2)}\n`;
}

/** Gives both files as they should be, by their names. */
export function makeThirdParty() {
  const shipped = listShipped(root);
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return {
    'THIRD-PARTY.md': writeThirdParty(shipped, (one) => readLicenceTexts(root, one)),
    'sbom.cdx.json': writeBillOfMaterials(shipped, manifest),
  };
}

if (argv[1] !== undefined && resolve(argv[1]) === fileURLToPath(import.meta.url)) {
  buildIfStale();
  for (const [name, text] of Object.entries(makeThirdParty())) writeFileSync(join(root, name), text);
}
