import { describe, expect, it } from 'vitest';
import { RunCounter, type RequestResult, type RunSummary } from '../run-result';
import { activeCharacters } from '../../hidden-characters';
import { githubReport } from './github-report';
import { htmlReport } from './html-report';
import { jsonReport } from './json-report';
import { junitReport } from './junit-report';
import { tapReport } from './tap-report';

interface Element {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: Element[];
  text: string;
}

interface ElementRule {
  readonly required: readonly string[];
  readonly allowed: readonly string[];
  readonly children: readonly string[];
  readonly mayHaveText: boolean;
}

const text = { children: [], mayHaveText: true, required: [], allowed: [] };
/** Surefire wants the type of what went wrong, the others let it stand. */
const fault = { ...text, required: ['type'], allowed: ['message'] };

/**
 * What the published schemas say of the elements that we write: junit-10.xsd of Jenkins' xUnit plugin (GitLab and GitHub's
 * readers take what it takes), and where it is stricter surefire-test-report.xsd.
 */
const rules: Readonly<Record<string, ElementRule>> = {
  testsuites: {
    required: [],
    allowed: ['name', 'time', 'tests', 'failures', 'errors'],
    children: ['testsuite'],
    mayHaveText: false,
  },
  testsuite: {
    required: ['name', 'tests', 'failures', 'errors'],
    allowed: 'group time skipped timestamp hostname id package file log url'.split(' '),
    children: ['testsuite', 'properties', 'testcase', 'system-out', 'system-err'],
    mayHaveText: false,
  },
  testcase: {
    required: ['name', 'time'],
    allowed: ['classname', 'group'],
    children: ['skipped', 'error', 'failure', 'system-out', 'system-err'],
    mayHaveText: false,
  },
  failure: fault,
  error: fault,
  skipped: { ...text, allowed: ['message', 'type'] },
  'system-out': text,
  'system-err': text,
};

/** Characters of an XML 1.0 document, by its production `Char`. */
const xmlText = /^(?:[\t\n\r\u0020-\ud7ff\ue000-\ufffd]|[\ud800-\udbff][\udc00-\udfff])*$/;
const token =
  /<\?xml version="1\.0" encoding="UTF-8"\?>|<(\/?)([\w-]+)((?: [\w-]+="[^"<]*")*)(\/?)>|([^<]+)/y;
const reference = /&(?:amp|lt|gt|quot|#\d+);/g;

function decode(written: string): string {
  // What stands there bare is no XML.
  expect(written.replace(reference, '')).not.toMatch(/&/);
  return written.replace(reference, (one) => {
    const meant = one.startsWith('&#') ? String.fromCodePoint(Number(one.slice(2, -1))) : entities[one]!;
    expect(meant).toMatch(xmlText);
    return meant;
  });
}
const entities: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' };

/** Reads a document without mercy: what no reader of XML must take, fails here. */
function readXml(document: string): Element {
  expect(document).toMatch(xmlText);
  expect(document).not.toContain(']]>');
  const top: Element = { name: '', attributes: new Map(), children: [], text: '' };
  const open = [top];
  for (token.lastIndex = 0; token.lastIndex < document.length;) {
    const at = token.lastIndex;
    const found = token.exec(document);
    if (found === null) throw new Error(`No XML from ${at} on: ${document.slice(at, at + 80)}`);
    const [, slash, name, attributes = '', isEmpty, words] = found;
    const parent = open.at(-1)!;
    if (words !== undefined) parent.text += decode(words);
    else if (slash === '/') expect(open.pop()!.name).toBe(name);
    else if (name !== undefined) {
      const pairs = [...attributes.matchAll(/ ([\w-]+)="([^"]*)"/g)];
      const element: Element = {
        name,
        attributes: new Map(pairs.map(([, key, value]) => [key!, decode(value!)])),
        children: [],
        text: '',
      };
      expect(element.attributes.size, 'an attribute twice').toBe(pairs.length);
      parent.children.push(element);
      if (isEmpty !== '/') open.push(element);
    }
  }
  expect(open).toHaveLength(1);
  expect(top.children).toHaveLength(1);
  return top.children[0]!;
}

function checkElement({ name, attributes, children, text: own }: Element): void {
  const rule = rules[name];
  if (rule === undefined) throw new Error(`The schema knows no <${name}>`);
  expect([...attributes.keys()]).toEqual(expect.arrayContaining([...rule.required]));
  for (const key of attributes.keys()) expect([...rule.required, ...rule.allowed]).toContain(key);
  for (const key of ['time', 'tests', 'failures', 'errors', 'skipped']) {
    if (attributes.has(key)) expect(attributes.get(key)).toMatch(/^\d+(?:\.\d{3})?$/);
  }
  if (!rule.mayHaveText) expect(own.trim()).toBe('');
  for (const child of children) {
    expect(rule.children).toContain(child.name);
    checkElement(child);
  }
}

const usual: RequestResult = {
  title: 'Salary',
  name: 'Salary',
  folder: 'Payouts',
  file: 'Payouts/Salary.http',
  line: 1,
  operation: 'payout',
  iteration: 1,
  row: null,
  outcome: 'passed',
  reason: null,
  errorCode: null,
  attempts: 1,
  reference: 'r-1',
  startedAt: 0,
  durationMs: 1234.5,
  expectations: [],
  exchange: null,
  webhooks: [],
  later: null,
};

function write(results: readonly RequestResult[]): string {
  const counter = new RunCounter();
  const parts = results.map((result) => {
    counter.add(result);
    return junitReport.part(result, 0);
  });
  const { counts, expectations, withoutExpectations } = counter;
  const { head, tail } = junitReport.finish(
    {
      startedAt: 0,
      durationMs: 5000,
      counts,
      expectations,
      withoutExpectations,
      isComplete: true,
      notSent: 0,
      rows: null,
      isInterrupted: false,
      worstError: 0,
    },
    1,
  );
  return head + parts.join('') + tail;
}

const failing = (received: string): RequestResult => ({
  ...usual,
  outcome: 'failed',
  expectations: [
    { text: 'status 201', line: 4, outcome: 'failed', expected: 'status == 201', received, advice: null },
  ],
});

const cut: RunSummary = {
  startedAt: 0,
  durationMs: 0,
  counts: new RunCounter().counts,
  expectations: new RunCounter().expectations,
  withoutExpectations: 0,
  isComplete: false,
  notSent: 14,
  rows: { all: 10, notBegun: 7 },
  isInterrupted: true,
  worstError: 0,
};

it('says in each report of a run that was ended what was not sent; the JUnit one stays what the schema says', () => {
  const sentence = '14 requests were not sent, and nothing of 7 of 10 rows.';
  for (const report of [junitReport, tapReport, githubReport, htmlReport]) {
    const { head, tail } = report.finish(cut, 130);
    expect(head + tail).toContain(sentence);
    const ended = report.finish({ ...cut, isComplete: true, isInterrupted: false, notSent: 0 }, 0);
    expect(ended.head + ended.tail).not.toContain('not sent');
  }
  const { tail } = jsonReport.finish(cut, 130);
  expect(JSON.parse(tail)).toMatchObject({ not_sent: 14, rows: { all: 10, not_begun: 7 } });
  const junit = junitReport.finish(cut, 130);
  checkElement(readXml(junit.head + junit.tail));
});

describe('the JUnit report', () => {
  it('is what the published schema says, for each outcome, with sums that agree', () => {
    const document = write([
      usual,
      failing('500'),
      { ...usual, outcome: 'error', reason: 'No answer came.', errorCode: 'sending.timeout' },
      { ...usual, outcome: 'skipped', reason: 'depends on \'x\', which "failed"' },
      { ...usual, outcome: 'unfinished' },
    ]);
    const suites = readXml(document);
    expect(suites.name).toBe('testsuites');
    checkElement(suites);
    const suite = suites.children[0]!;
    expect(Object.fromEntries(suite.attributes)).toMatchObject({
      tests: '5',
      failures: '1',
      errors: '2',
      skipped: '1',
      timestamp: '1970-01-01T00:00:00',
    });
    expect(suite.children.map(({ children }) => children[0]!.name)).toEqual([
      'system-out',
      'failure',
      'error',
      'skipped',
      'error',
    ]);
  });

  it.each([
    ['the end of a character section', 'a ]]> b'],
    ['marks', '<script>&amp;"\''],
    [
      'every control character',
      String.fromCharCode(...Array.from({ length: 32 }, (_, code) => code), 0x7f, 0x85),
    ],
    ['halves of a pair', '\ud83d x \ude00'],
    ['what is no character', '\ufffe\uffff'],
    ['a whole pair', '\u{1f600}'],
    ['a tag that nobody sees', '\u{e0041}'],
    ['other line ends', 'a\r\nb\rc\u2028d'],
  ])('stays XML with %s in names, values and texts', (_what, hostile) => {
    const result = { ...failing(hostile), title: hostile, folder: hostile, reason: hostile };
    const suites = readXml(
      write([result, { ...result, outcome: 'skipped' }, { ...result, outcome: 'error', errorCode: hostile }]),
    );
    checkElement(suites);
    const [first] = suites.children[0]!.children;
    const kept = hostile.replace(/[^\x20-\x7e]/g, '');
    expect(first!.attributes.get('name')!.replace(/\\u[\da-f]{4}|[^\x20-\x7e]/g, '')).toBe(kept);
    expect(first!.children[0]!.text).toContain('received');
  });
});

it('shows in the page what would turn the text around it, or hide in it, as its mark', () => {
  const hostile = 'a\u202eb\u200bc\u001b[31m\u0000\r\nd';
  const result = { ...failing(hostile), title: hostile, folder: hostile, file: hostile };
  const written = htmlReport.part({ ...result, outcome: 'error', reason: hostile }, 0);
  expect(written).toContain('a[RLO]b[ZWSP]c␛[31m␀\nd');
  expect(written).not.toMatch(/&#(?!38;|91;)\d+;/);
});

it.each([
  ['junit', junitReport],
  ['json', jsonReport],
  ['tap', tapReport],
  ['github', githubReport],
])('%s writes nothing that a terminal or a build acts on, and no line of its own', (_name, report) => {
  const hostile = 'x\u001b[31m\u009b2J\u202e\u0007\r\n::error::y\rz ##vso[task.setvariable variable=PATH]x';
  const result = { ...failing(hostile), title: hostile, folder: hostile, file: hostile };
  const written = report.part({ ...result, outcome: 'error', reason: hostile }, 0);
  expect(written.replaceAll('\n', '').match(activeCharacters)).toBeNull();
  // What a build server acts on wherever it stands in a log.
  expect(written).not.toMatch(/##\w*\[/);
  // Lines are XML's own business.
  if (report === junitReport) return;
  expect(written.split('\n').filter((line) => line.startsWith('::error::'))).toEqual([]);
});

it('shows in the page the beginning of a text that a browser takes minutes to lay out', () => {
  const written = htmlReport.part(failing('a\u05d0'.repeat(30_000)), 0);
  expect(written).toContain('(60,000 characters)');
  expect(written.length).toBeLessThan(20_000);
});
