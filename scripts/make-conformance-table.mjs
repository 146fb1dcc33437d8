/**
 * Writes docs/conformance.md: every rule of the interface beside the test that shows it.
 *
 * The names of the tests are the source; a rule without a test is not in the table. With `--check` nothing is
 * written: the exit code tells whether the file is up to date.
 */
import { readdirSync, readFileSync, writeFileSync, mkdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { argv, exit } from 'node:process';
import { fileURLToPath } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const target = join(root, 'docs/conformance.md');
const folder = 'test/conformance';

const titles = {
  1: 'The service as a whole',
  2: 'Resources and their fields',
  3: 'States and transitions',
  4: 'Endpoints',
  5: 'Authentication',
  6: 'Events',
  7: 'Errors',
  8: 'Limits',
  9: 'Versioning',
};

/** Names of tests that begin with a part of the interface, such as `4.1 rule 1: …`. */
const namePattern = /(?:test\(\s*|^\s*\[\s*)(['"`])(\d(?:\.\d)? (?:(?!\1)[^\\\n]|\\.)+)\1/gm;

/** Reads every rule with the file and the place where its test stands, in the order of the interface. */
export function readRules() {
  const files = readdirSync(join(root, folder)).filter((name) => name.endsWith('.test.ts'));
  // The files of the parts come first, then what goes across them.
  const order = (name) => `${name.startsWith('part-') ? 0 : 1}${name}`;
  files.sort((a, b) => order(a).localeCompare(order(b)));
  const rules = files.flatMap((file) => {
    const source = readFileSync(join(root, folder, file), 'utf8');
    return [...source.matchAll(namePattern)].map(([, , name]) => {
      const [, part, rule] = /^(\d(?:\.\d)?) (.+)$/.exec(name);
      return { part, rule: rule.replaceAll('\\', ''), file };
    });
  });
  return rules
    .map((rule, index) => ({ ...rule, index }))
    .sort((a, b) => Number(a.part) - Number(b.part) || a.index - b.index);
}

/** Writes the page as Markdown. */
export function writeTable() {
  const rules = readRules();
  const lines = [
    '# From the interface to its tests',
    '',
    `The sandbox is held against ${rules.length} rules of the service's interface, over plain HTTP and by a client`,
    'that shares no code with it. Each test is named after the part of the interface that it shows; `(A…)` names',
    'an assumption of ours where the interface says ‘not shown’.',
    '',
    'Made by `node scripts/make-conformance-table.mjs` from the names of the tests: change those, then run it.',
    'Run the tests with `npx vitest run --project conformance`.',
    '',
    '<!-- prettier-ignore-start -->',
  ];
  let chapter = '';
  for (const { part, rule, file } of rules) {
    if (part[0] !== chapter) {
      chapter = part[0];
      lines.push(
        '',
        `## Part ${chapter}: ${titles[chapter]}`,
        '',
        '| Part | Rule | Test |',
        '| --- | --- | --- |',
      );
    }
    lines.push(`| ${part} | ${rule.replaceAll('|', '\\|')} | [${file}](../${folder}/${file}) |`);
  }
  return `${lines.join('\n')}\n\n<!-- prettier-ignore-end -->\n`;
}

if (argv[1] !== undefined && resolve(argv[1]) === fileURLToPath(import.meta.url)) {
  const page = writeTable();
  if (argv.includes('--check')) {
    let current = '';
    try {
      current = readFileSync(target, 'utf8');
    } catch {
      // Not there yet: not up to date.
    }
    if (current === page) exit(0);
    console.error('docs/conformance.md is not up to date. Run: node scripts/make-conformance-table.mjs');
    exit(1);
  }
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, page);
}
