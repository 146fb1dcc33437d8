import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CAUSE_CODES, type CauseCode } from '@shared/doctor/causes';
import { errorCodes, initiationOutcomes, unknownPayment } from '@shared/payments/tables/codes';
import { inspectBody } from '@shared/signing/inspect-body';
import { describeCommands } from '../../electron/cli/completion/describe-commands';
import { nameValue, type OptionSpec } from '../../electron/cli/option-table';
import { runDiagnosis } from '../../electron/platform/doctor/run-diagnosis';
import { adminAddresses } from '../../electron/sandbox/admin/admin-routes';
import { accountOutcomes } from '../../electron/sandbox/payments/account-outcomes';
import { requestSteps } from '../../electron/sandbox/requests/request-checks';
import { noFaults } from '../../electron/sandbox/sandbox-options';
import { askOfVector, doctorVectors } from './doctor-vectors';
import { projectRoot } from './run-cli';

/** A test: its file, and words of its name. */
type TestName = readonly [file: string, words: string];

const conformance = (part: string, words: string): TestName => [`test/conformance/${part}.test.ts`, words];
const sandbox = (file: string, words: string): TestName => [`electron/sandbox/${file}.test.ts`, words];

const initiation = 'part-4-initiation';
const settled = sandbox('create-sandbox', 'an account ending in %s becomes %s');

/** What shows each outcome of an account. */
const outcomeTests: Readonly<Record<string, TestName>> = {
  failed: settled,
  canceled: settled,
  processing: sandbox('create-sandbox', 'an account ending in 0003 stays processing'),
  field_error: conformance('part-7-errors', 'an account ending in 0004 is refused'),
  late: sandbox('create-sandbox', 'an account ending in 0005 settles after thirty seconds'),
  duplicate: conformance('part-6-events', 'an account ending in 0006 has its webhook delivered twice'),
  internal_error: sandbox('create-sandbox', 'an account ending in 0007 is answered 500'),
  rate_limited: conformance(
    'part-8-9-limits-and-versions',
    'an account ending in 0008 is answered 429 twice',
  ),
  succeeded: conformance('part-3-states', 'a payment may become succeeded'),
};

const byRules = sandbox('create-sandbox', 'a payout of %s %s is refused by the rules: %s');

/** What each step answers where it fails, and what shows it. */
const stepRows: Readonly<Record<string, readonly [answer: string, test: TestName]>> = {
  rate: [
    '429 with `Retry-After`',
    conformance('part-8-9-limits-and-versions', 'comes before every other check'),
  ],
  address: ['404, or 405 with the right method', conformance('part-7-errors', 'a wrong method is refused')],
  fault: [
    '500, or no answer: as the faults are set',
    sandbox('admin/admin-routes', 'every request fails at an error rate of 1'),
  ],
  body: ['400', conformance('part-7-errors', 'a body that is not a readable JSON object')],
  token: ['401 `400.001.100`', conformance('part-7-errors', 'invalid or expired token')],
  product: [
    '401 `400.200`',
    conformance('part-5-authentication', 'a token is good for its own product only'),
  ],
  signature: [
    '401 `400.200`; `explain` says what was expected',
    conformance('part-5-authentication', 'a missing, empty or foreign signature is refused'),
  ],
  fields: [
    '400 `400.100`, every field at once',
    conformance('part-7-errors', 'validation failed, every field error at once'),
  ],
  credentials: ['401 `400.200`', conformance(initiation, 'wrong credentials are answered 401')],
  host: [
    '403 `403.300`',
    conformance('part-6-events', 'a host that is not this machine gets no webhook unless it was allowed'),
  ],
  reference: [
    '200 `200.100`/`REJECTED`: a duplicate',
    conformance('part-7-errors', 'a reference reused with a different body'),
  ],
  outcome: [
    '500 or 429, as the account says',
    sandbox('payments/business-rules', 'X-Sandbox-Outcome %s is answered'),
  ],
  wallet: ['400 `400.100`/`REJECTED`: the rules below', byRules],
  found: ['404 `404.001.000`', conformance('part-4-queries', 'no matching payment')],
  kept: [
    '500: nothing was kept, and no money is held',
    sandbox('payments/decide-initiations', 'where the insert fails nobody is told of success'),
  ],
};

/** Words of each refusal by a business rule, as they stand in `business-rules.ts`. */
const ruleRows: readonly (readonly [words: string, when: string, test: TestName])[] = [
  ['wallet is provisioned for', 'no wallet of that product and currency', byRules],
  [
    'wallet is ${wallet.status}',
    'the wallet is suspended or inactive',
    conformance('part-3-states', 'a SUSPENDED wallet pays nothing out'),
  ],
  [
    'larger than this service moves',
    'the amount is above a million millions',
    sandbox('payments/business-rules', 'the largest amount is a million millions'),
  ],
  [
    'Insufficient funds',
    'amount and charges are more than is available',
    conformance('part-8-9-limits-and-versions', 'more than a wallet has, charges included'),
  ],
];

const faultRows: Readonly<Record<keyof typeof noFaults, readonly [what: string, test: TestName]>> = {
  latencyMs: [
    'each answer comes so much later',
    sandbox('admin/admin-routes', 'latency and a slow body delay'),
  ],
  errorRate: [
    'that share of requests is answered 500, and nothing is made',
    sandbox('admin/admin-routes', 'every request fails at an error rate of 1'),
  ],
  dropRate: [
    'that share loses its connection once it was worked',
    sandbox('admin/admin-routes', 'a dropped connection leaves a payment that can be found'),
  ],
  slowBodyMs: [
    'the body of an answer takes so long to come',
    sandbox('admin/admin-routes', 'latency and a slow body delay'),
  ],
};

/** One body for each warning: the default with one value written otherwise. */
const lintBodies: Readonly<Record<string, string>> = {
  unresolved_variable: writeBody({ reference: '"{{order}}"' }),
  escape: writeBody({ reference: '"INV\\u002d1"' }),
  edge_white_space: writeBody({ reference: '" INV-1"' }),
  invisible_character: writeBody({ reference: '"INV\u200b-1"' }),
  lone_surrogate: writeBody({ reference: '"INV\\ud800"' }),
  look_alike_character: writeBody({ service_code: '"МPESA-KE"' }),
  amount_not_number: writeBody({ amount: '"1,500"' }),
  amount_quoted: writeBody({ amount: '"1500"' }),
  amount_exponent: writeBody({ amount: '1.5e3' }),
  amount_not_integer: writeBody({ amount: '1500.00' }),
  amount_too_large: writeBody({ amount: '9007199254740993' }),
  country_form: writeBody({ country: '"Kenya"' }),
  duplicate_key: writeBody({ amount: '1500,"amount":1500' }),
};

function writeBody(
  fields: Partial<Record<'reference' | 'amount' | 'service_code' | 'country', string>>,
): string {
  const { reference = '"INV-1"', amount = '1500', service_code = '"MPESA-KE"', country = '"KE"' } = fields;
  return `{"transaction":{"reference":${reference},"amount":${amount},"service_code":${service_code}},"originator":{"country":${country}}}`;
}

const read = (path: string): string => readFileSync(join(projectRoot, path), 'utf8');

/** Links a test from a page of `docs/`. @throws where the file has no test of that name */
function linkTest([file, words]: TestName): string {
  if (!read(file).includes(words)) throw new Error(`${file} has no test '${words}'.`);
  return `[${file.split('/').at(-1)!.replace('.test.ts', '')}](../${file})`;
}

/** Text for a cell: what would end it or begin something is escaped. */
function toCell(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/[\\|*_<>`[\]{}]/g, (found) => `\\${found}`)
    .replaceAll('\\{\\{', '\\{\\{');
}

function writeTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  return ['<!-- prettier-ignore-start -->', '', ...lines, '', '<!-- prettier-ignore-end -->'].join('\n');
}

/** A key of a record that the source has no more, or a name of the source that the record lacks, is an error. */
function rowOf<T>(rows: Readonly<Record<string, T>>, name: string): T {
  const row = rows[name];
  if (row === undefined) throw new Error(`test/support/docs-made.ts knows no row for '${name}'.`);
  return row;
}

function ensureSame(known: readonly string[], found: readonly string[]): void {
  const odd = [
    ...known.filter((one) => !found.includes(one)),
    ...found.filter((one) => !known.includes(one)),
  ];
  if (odd.length > 0) throw new Error(`The table and the source differ: ${odd.join(', ')}.`);
}

/** One line a cause: what was done to make the signature, and the doctor's own words about it. */
async function writeCauses(): Promise<string> {
  const rows = await Promise.all(
    CAUSE_CODES.map(async (code: CauseCode) => {
      const vector =
        doctorVectors.find(({ codes }) => codes.length === 1 && codes[0] === code) ??
        doctorVectors.find(({ codes }) => codes.includes(code));
      if (vector === undefined) throw new Error(`No signature of the fixtures shows '${code}'.`);
      const { verdict, explanation } = await runDiagnosis(askOfVector(vector));
      return [`\`${code}\``, toCell(vector.name), `${verdict}: ${toCell(explanation)}`];
    }),
  );
  return writeTable(['cause', 'what was done', 'what the doctor says'], rows);
}

function writeLints(): string {
  const source = read('shared/signing/lints.ts');
  const found = source.matchAll(/code(?:: |.*\? )'(\w+)'(?: : '(\w+)')?/g);
  const codes = [...found].flatMap(([, one, other]) => (other === undefined ? [one!] : [one!, other]));
  ensureSame(Object.keys(lintBodies), [...new Set(codes)]);
  const rows = Object.entries(lintBodies).map(([code, body]) => {
    const lint = inspectBody(body).lints.find((one) => one.code === code);
    if (lint === undefined) throw new Error(`The body for '${code}' brings no such warning.`);
    return [`\`${code}\``, toCell(lint.message), lint.fix === undefined ? '' : toCell(lint.fix.label)];
  });
  return writeTable(['warning', 'such as', 'mended by'], rows);
}

function writeOutcomes(): string {
  const rows = accountOutcomes.map(({ ending, name, meaning }) => [
    ending === null ? 'anything else' : `\`${ending}\``,
    `\`${name}\``,
    toCell(meaning),
    linkTest(rowOf(outcomeTests, name)),
  ]);
  return writeTable(['account ends in', '`X-Sandbox-Outcome`', 'the payment', 'test'], rows);
}

function writeSteps(): string {
  const rows = requestSteps.map(({ id, label }, index) => {
    const [answer, test] = rowOf(stepRows, id);
    return [String(index + 1), label, answer, linkTest(test)];
  });
  return writeTable(['', 'check', 'answered where it fails', 'test'], rows);
}

function writeRules(): string {
  const source = read('electron/sandbox/payments/business-rules.ts');
  const refusals = source.match(/reject\(\s*[`']/g)?.length;
  const found = ruleRows.filter(([words]) => source.includes(words));
  if (found.length !== ruleRows.length || refusals !== ruleRows.length)
    throw new Error('The business rules are others than the table has.');
  return writeTable(
    ['refused where', 'test'],
    ruleRows.map(([, when, test]) => [when, linkTest(test)]),
  );
}

function writeErrorCodes(): string {
  const envelopes = Object.values(errorCodes).map(({ code, status, httpStatus, meaning }) => [
    `\`${code}\``,
    `\`${status}\``,
    String(httpStatus),
    meaning,
    linkTest(conformance('part-7-errors', `code ${code}`)),
  ]);
  const tests: Readonly<Record<string, TestName>> = {
    accepted: conformance(initiation, '200.100'),
    acceptedOtherForm: sandbox('admin/admin-routes', 'settings change the acceptance form'),
    duplicate: conformance('part-7-errors', 'a reference reused with a different body is a duplicate too'),
    rejected: conformance(
      'part-7-errors',
      'a rejection at initiation has the shape of an initiation response',
    ),
  };
  const initiations = Object.entries(initiationOutcomes).map(([name, { status, code, httpStatus }]) => [
    `\`${status}\``,
    `\`${code}\``,
    String(httpStatus),
    `an initiation: ${name === 'acceptedOtherForm' ? 'accepted, in the other form' : name}`,
    linkTest(rowOf(tests, name)),
  ]);
  const { code, status, httpStatus } = unknownPayment;
  const unknown = [`\`${code}\``, `\`${status}\``, String(httpStatus), 'a status query that finds nothing'];
  const test = linkTest(conformance('part-4-queries', 'no matching payment: NOT_FOUND'));
  return writeTable(
    ['code', 'status', 'HTTP', 'means', 'test'],
    [...envelopes, ...initiations, [...unknown, test]],
  );
}

function writeFaults(): string {
  const rows = Object.entries(faultRows).map(([name, [what, test]]) => [
    `\`${name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}\``,
    what,
    linkTest(test),
  ]);
  ensureSame(Object.keys(faultRows), Object.keys(noFaults));
  return writeTable(['fault', 'what it does', 'test'], rows);
}

/** What each package that runs a script when it is installed is here for, and what the script does. */
const installRows: Readonly<Record<string, readonly [neededBy: string, script: string]>> = {
  'electron-winstaller': ['electron-builder, for installers on Windows', 'chooses the 7-Zip of this system'],
  protobufjs: ['httpyac, with which exports are tested', 'compares version schemes, changes nothing'],
  'tree-sitter': [
    'curlconverter, which reads curl commands in tests of the import',
    'takes its prebuilt native part, or compiles it',
  ],
  'tree-sitter-bash': ['curlconverter', 'takes its prebuilt native part, or compiles it'],
  'unrs-resolver': ['the lint of imports', 'looks whether its prebuilt native part is there'],
  esbuild: ['VitePress', 'looks whether its prebuilt program runs'],
};

function writeInstallScripts(): string {
  const { packages } = JSON.parse(read('package-lock.json')) as {
    packages: Record<string, { hasInstallScript?: boolean; dev?: boolean; version: string }>;
  };
  const found = Object.entries(packages).filter(([, { hasInstallScript }]) => hasInstallScript === true);
  const shipped = found.filter(([, { dev }]) => dev !== true);
  if (shipped.length > 0)
    throw new Error(`What is shipped runs a script when installed: ${shipped.join(', ')}.`);
  const nameOf = (place: string): string => place.slice(place.lastIndexOf('node_modules/') + 13);
  ensureSame(
    Object.keys(installRows),
    found.map(([place]) => nameOf(place)),
  );
  const rows = found.map(([place, { version }]) => {
    const [neededBy, script] = rowOf(installRows, nameOf(place));
    return [`\`${nameOf(place)}\` ${version}`, neededBy, script];
  });
  return writeTable(['package', 'needed by', 'its script'], rows);
}

/** Everything in a page that is made from the source, by page and by the name in its marks. */
/** Braces and angles stand in code, where no reader of Markdown takes them for more. */
const toProse = (text: string): string =>
  toCell(text).replace(
    /\\\{\\\{([^{}]+?)\\\}\\\}/g,
    (_whole, name: string) => `\`{{${name.replaceAll('\\', '')}}}\``,
  );

function writeOption([name, spec]: readonly [string, OptionSpec]): string[] {
  const value = spec.type === 'flag' ? '' : ` ${nameValue(spec)}`;
  const remarks = [
    ...(spec.choices ? [`one of ${spec.choices.join(', ')}`] : []),
    ...(spec.fallback === undefined || spec.fallback === '' ? [] : [`default ${spec.fallback}`]),
    ...(spec.isRequired ? ['required'] : []),
    ...(spec.isList ? ['may be repeated'] : []),
  ];
  const help = remarks.length === 0 ? spec.help : `${spec.help} (${remarks.join('; ')})`;
  return [`\`--${name}${value.replaceAll('|', '\\|')}\``, toProse(help)];
}

async function writeOptions(): Promise<string> {
  const commands = await describeCommands();
  return commands
    .map(({ name, usage, summary, options }) =>
      [
        `## countersign ${name}`,
        `\`countersign ${usage}\``,
        toProse(summary),
        writeTable(['option', 'what for'], options.map(writeOption)),
      ].join('\n\n'),
    )
    .join('\n\n');
}

export const madeSections: Readonly<
  Record<string, Readonly<Record<string, () => Promise<string> | string>>>
> = {
  'docs/options.md': { options: writeOptions },
  'docs/signing.md': { causes: writeCauses, warnings: writeLints },
  'docs/supply-chain.md': { 'install-scripts': writeInstallScripts },
  'docs/sandbox.md': {
    outcomes: writeOutcomes,
    checks: writeSteps,
    rules: writeRules,
    codes: writeErrorCodes,
    faults: writeFaults,
    admin: () => adminAddresses.map((one) => `- \`${one}\``).join('\n'),
  },
};

/** Gives a page with all that is made in it as it should be. @throws where the page lacks the marks of a part */
export async function makePage(page: string, text: string): Promise<string> {
  let made = text;
  for (const [name, write] of Object.entries(madeSections[page]!)) {
    const [begin, end] = [`<!-- made: ${name} -->`, `<!-- end of ${name} -->`];
    const from = made.indexOf(begin);
    const to = made.indexOf(end);
    if (from === -1 || to < from) throw new Error(`${page} has no place for '${name}': ${begin} … ${end}`);
    made = `${made.slice(0, from + begin.length)}\n\n${await write()}\n\n${made.slice(to)}`;
  }
  return made;
}
