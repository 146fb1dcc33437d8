import { describe, expect, it } from 'vitest';
import {
  describeUnjudged,
  effectScenarios,
  receiverScenarioNames,
  receiverScenarios,
  summarizeResults,
  type ScenarioResult,
} from './receiver-scenarios';
import { writeReceiverHtml, writeReceiverJunit } from './write-reports';

const result = (change: Partial<ScenarioResult> = {}): ScenarioResult => ({
  scenario: 'success',
  verdict: 'pass',
  reason: 'answered 200',
  elapsedMs: 12,
  isSkipped: false,
  isAnswerOnly: false,
  ...change,
});
const failed = result({
  scenario: 'duplicate',
  verdict: 'fail',
  reason: 'counted <twice> & "so"',
  elapsedMs: 1500,
});
const skipped = result({ scenario: 'wrong-signature', reason: 'no secret', isSkipped: true, elapsedMs: 0 });
const blind = result({ scenario: 'late', reason: 'nobody could see', isAnswerOnly: true });

describe('a check in a sentence', () => {
  it.each([
    ['all passed', [result(), result()], '2 scenarios played, none failed'],
    ['one failed', [result(), failed], '1 of 2 scenarios failed'],
    [
      'what was not judged',
      [result(), skipped],
      '2 scenarios played, none failed; 1 not judged without a secret',
    ],
    [
      'what nobody saw, and what would show it',
      [failed, skipped, blind, blind],
      '1 of 4 scenarios failed; 1 not judged without a secret; 2 by their answers alone; a state address (--state-url) that shows what they did lets it judge that, too',
    ],
  ])('tells %s', (_what, results, sentence) => expect(summarizeResults(results)).toBe(sentence));

  it('has nothing to add where all was judged', () => expect(describeUnjudged([result()])).toEqual([]));
});

it('needs the state for what is about effects alone', () => {
  for (const name of effectScenarios) expect(receiverScenarios[name]).toMatch(/effect|stays|stay two/);
  expect(receiverScenarioNames.filter((name) => /effect/.test(receiverScenarios[name]))).toEqual(
    [...effectScenarios].filter((name) => /effect/.test(receiverScenarios[name])),
  );
});

it('writes JUnit with a case for each scenario, and all that is odd escaped', () => {
  const junit = writeReceiverJunit(`http://[::1]:1/?a='<&>'`, [result(), failed, skipped, blind]);
  const counts = 'tests="4" failures="1" errors="0" skipped="1" time="1.524"';
  expect(junit.split('\n')).toEqual([
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="check-receiver" ${counts}>`,
    `  <testsuite name="http://[::1]:1/?a=&#39;&lt;&amp;&gt;&#39;" ${counts}>`,
    '    <testcase name="success" classname="check-receiver" time="0.012">',
    '    </testcase>',
    '    <testcase name="duplicate" classname="check-receiver" time="1.500">',
    `      <failure message="counted &lt;twice&gt; &amp; &quot;so&quot;">${receiverScenarios.duplicate}</failure>`,
    '    </testcase>',
    '    <testcase name="wrong-signature" classname="check-receiver" time="0.000">',
    '      <skipped message="no secret"/>',
    '    </testcase>',
    '    <testcase name="late" classname="check-receiver" time="0.012">',
    '      <system-out>nobody could see</system-out>',
    '    </testcase>',
    '  </testsuite>',
    '</testsuites>',
  ]);
});

it.each(['\u0000', '\u0008', '\u000b', '\u000c', '\u001f', '\ufffe', '\uffff'])(
  'writes no character that XML does not know: %j',
  (character) => {
    const junit = writeReceiverJunit('', [result({ verdict: 'fail', reason: `a${character}b` })]);
    expect(junit).toContain('message="a\ufffdb"');
    const kept = writeReceiverJunit('', [result({ verdict: 'fail', reason: 'a\t\n\r~é😀b' })]);
    expect(kept).toContain('message="a\t\n\r~é😀b"');
  },
);

it('writes a page with a row for each scenario, and nothing of it as markup', () => {
  const page = writeReceiverHtml('<script>', [result(), failed, skipped, blind]);
  const rows = page.split('\n').filter((line) => line.startsWith('<tr>'));
  expect(rows.map((row) => /class="(\w+)">([^<]*)/.exec(row)!.slice(1))).toEqual([
    ['pass', 'pass'],
    ['fail', 'fail'],
    ['skip', 'skip'],
    ['pass', 'pass (answers alone)'],
  ]);
  expect(rows[1]).toContain('<td>counted &lt;twice&gt; &amp; &quot;so&quot;</td><td>1500 ms</td>');
  expect(page).toContain('&lt;script&gt;: 1 of 4 scenarios failed');
  expect(page).not.toContain('<script>');
  expect(page.startsWith('<!doctype html>')).toBe(true);
  expect(writeReceiverHtml('', [result({ reason: 'a\u05d0'.repeat(20_000) })])).toContain(
    '(40,000 characters)',
  );
});
