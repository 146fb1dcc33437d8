/**
 * Writes docs/performance.md: every budget of the design beside what `npm run bench` last measured.
 *
 * `npm run bench > bench.json`, then `node scripts/make-performance-page.mjs bench.json`: the figures are kept in
 * docs/performance.json, those of other benches stay. Without a file the page is made of what is kept.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const kept = join(root, 'docs', 'performance.json');

/** Each budget, what it allows, and how the figures of the bench that show it begin (null: none does); `test`: what holds it instead. */
export const budgets = [
  { what: 'sign, against `openssl speed`', allows: '≥ 0.85', figure: 'sign, against openssl' },
  { what: 'verify, against `openssl speed`', allows: '≥ 0.65', figure: 'verify, against openssl' },
  { what: 'string to sign from a body, against `JSON.parse`', allows: '≤ 1.8', figure: 'string to sign' },
  { what: 'key stroke to preview, 1 MB body, p99', allows: '≤ 16 ms', figure: 'key stroke to preview' },
  {
    what: 'key stroke to the frame drawn in the window, 1 MB body, p99',
    allows: '≤ 16 ms',
    figure: 'key stroke to the frame drawn',
  },
  {
    what: 'key stroke to what is drawn, 1 MB body, p99',
    allows: '≤ 16 ms',
    figure: 'key stroke to what is drawn',
  },
  { what: 'durable inbox, against a bare `node:http`', allows: '≥ 0.75', figure: 'inbox: durable' },
  {
    what: 'sandbox with every check, against a bare `node:http`',
    allows: '≥ 0.5',
    figure: 'sandbox: signed payouts',
  },
  {
    what: 'sandbox with every check, against Mockoon, which has none',
    allows: '≥ 1',
    figure: 'peers: signed payouts a second, against Mockoon',
  },
  {
    what: 'sandbox with every check, against Prism, which looks at shapes',
    allows: '≥ 1',
    figure: 'peers: signed payouts a second, against Prism',
  },
  {
    what: 'start of the sandbox to its first answer, against `node -e 0`',
    allows: '≤ 2',
    figure: 'sandbox: start',
  },
  { what: 'start of the listener, against `node -e 0`', allows: '≤ 2', figure: 'listen: start' },
  {
    what: '`run` of 50 requests, against a bare Node loop',
    allows: '≤ 1.5',
    figure: 'run of 50 requests, against a bare',
  },
  {
    what: '`run` of 1,000 requests, against a bare Node loop',
    allows: '≤ 1.3',
    figure: 'run of 1,000 requests',
  },
  {
    what: '`run` of 50 requests, against newman',
    allows: '≤ 1',
    figure: 'run of 50 requests, against newman',
  },
  {
    what: '`run` of 50 requests, against httpYac',
    allows: '≤ 1',
    figure: 'run of 50 requests, against httpYac',
  },
  {
    what: '`run` of 50 requests, against Bruno’s command line',
    allows: '≤ 1',
    figure: 'peers: run of 50',
  },
  { what: 'memory of a run', allows: '≤ 90 MB', figure: 'memory of a run' },
  { what: 'doctor: a single deviation, p99', allows: '≤ 60 ms', figure: 'doctor, a single deviation' },
  { what: 'doctor: a pair of deviations, p99', allows: '≤ 400 ms', figure: 'doctor, a pair of deviations' },
  {
    what: 'proxy: exchanges kept and judged, against a bare proxy',
    allows: '≥ 0.5',
    figure: 'proxy: exchanges',
  },
  { what: 'proxy: what it adds to an answer, p50', allows: '≤ 2 ms', figure: 'proxy: what it adds' },
  { what: 'receive and forward, against a bare proxy', allows: '≥ 0.5', figure: 'forward: kept' },
  { what: 'first view, cold', allows: '≤ 1200 ms', figure: 'window: first view in' },
  { what: 'first view with tabs restored', allows: '≤ 1200 ms', figure: 'window: first view with' },
  { what: 'a collection of 3,000 requests listed', allows: '≤ 1000 ms', figure: 'collections: 3,000' },
  { what: 'inbox of 100,000: search', allows: '≤ 50 ms', figure: 'inbox: search' },
  {
    what: 'team inbox: durable receive, one receiver, against `pgbench`',
    allows: '≥ 0.5',
    figure: 'postgres: durable receive, one',
  },
  {
    what: 'team inbox: durable receive, two receivers, against `pgbench`',
    allows: '≥ 0.5',
    figure: 'postgres: durable receive, two',
  },
  {
    what: 'team inbox: cost of a webhook in 1,000,000, against one in 10,000',
    allows: '≤ 1.3',
    figure: 'postgres: cost of a webhook',
  },
  { what: 'team inbox of 1,000,000: search', allows: '≤ 100 ms', figure: 'postgres: search' },
  {
    what: 'inbox of 100,000: frames held up while it scrolls, as a share',
    allows: '≤ 0.02',
    figure: 'inbox of 100,000: ',
  },
  {
    what: 'a webhook or answer of 10 MiB: first paint, longest task',
    allows: '≤ 200 ms, ≤ 50 ms',
    test: 'test/e2e/large-bodies.browser.spec.ts',
  },
  { what: 'memory at rest, without a window', allows: '≤ 90 MB', figure: 'app: resident memory' },
  { what: 'memory at rest, desktop, all processes', allows: '≤ 350 MB', figure: 'desktop: memory' },
  { what: 'JavaScript before the first view, gzip', allows: '≤ 250 kB', figure: 'renderer: JavaScript' },
];

/** Gives the page for the results of a bench. */
export function writePage({ results, node }) {
  const rows = budgets.flatMap(({ what, allows, figure, test }) => {
    if (test !== undefined) return [[what, allows, `no figure of the bench: see \`${test}\``, '']];
    const found = results.filter(({ name }) => figure !== null && name.startsWith(figure));
    if (found.length === 0) return [[what, allows, 'not measured', '']];
    return found.map(({ name, ratio, isWithinBudget }) => [
      found.length === 1 ? what : name,
      allows,
      String(ratio),
      isWithinBudget ? 'held' : '**lost**',
    ]);
  });
  const table = [['what', 'budget', 'measured', 'verdict'], Array(4).fill('---'), ...rows];
  return `# Performance

Each figure of \`npm run bench\` stands beside a yardstick that was measured in the same run on the same machine: most are ratios, and travel between machines
better than times do. \`npm run bench\` prints each with its budget and verdict, as JSON; \`npm run bench -- signing inbox\` measures some alone.
Other clients (newman, httpYac) do the same work in the same run; \`npm run bench -- peers\` installs Mockoon, Prism and Bruno's command line beside its cache and measures against them, too.

Made by \`node scripts/make-performance-page.mjs bench.json\` from that JSON${node === null ? '' : `, last by Node ${node}`}. What no run was kept of is 'not measured'.

<!-- prettier-ignore-start -->

${table.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}

<!-- prettier-ignore-end -->
`;
}

export function readKept() {
  return existsSync(kept) ? JSON.parse(readFileSync(kept, 'utf8')) : { node: null, results: [] };
}

if (argv[1] !== undefined && resolve(argv[1]) === fileURLToPath(import.meta.url)) {
  const former = readKept();
  const fresh = argv[2] === undefined ? former : JSON.parse(readFileSync(argv[2], 'utf8'));
  const measured = new Set(fresh.results.map(({ name }) => name));
  const results = [...former.results.filter(({ name }) => !measured.has(name)), ...fresh.results]
    .map(({ name, ratio, isWithinBudget }) => ({ name, ratio, isWithinBudget }))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
  const all = { node: fresh.node, results };
  if (results.length > 0) writeFileSync(kept, `${JSON.stringify(all, null, 2)}\n`);
  writeFileSync(join(root, 'docs', 'performance.md'), writePage(all));
}
