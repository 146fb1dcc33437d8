import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import type { AppRun, ItemResult } from '@shared/contract/running';
import { makeTemporaryFolder } from '../../../test/support/temporary';
import { fitRun, KeptRuns } from './kept-runs';

let dataDirectory: string;
let logged: string[];
let runs: KeptRuns;

beforeEach(() => {
  dataDirectory = makeTemporaryFolder('kept-runs');
  logged = [];
  runs = new KeptRuns({ dataDirectory, logger: { log: (_level, event) => void logged.push(event) } });
});

const item = (name: string) => ({
  name,
  folder: '',
  path: `${name}.http`,
  block: name,
  line: 1,
  operation: 'other' as const,
});
const result = (place: number, outcome: ItemResult['outcome'], summary = ''): ItemResult => ({
  place,
  outcome,
  summary,
  later: null,
  reason: null,
  errorCode: null,
  httpStatus: 200,
  reference: null,
  exchangeId: null,
  attempts: 1,
  durationMs: 1,
  expectations: [],
  webhookIds: [],
});
const run = (more: Partial<AppRun> = {}): AppRun => ({
  id: 'r',
  subject: { environment: 'local', collectionId: 'c', path: '', only: null },
  startedAt: 1,
  durationMs: 1,
  state: 'over',
  items: [],
  results: [],
  kept: [],
  leftOut: 0,
  keepFault: null,
  ...more,
});

it('leaves out what passed first where not all has room, and counts it', () => {
  const items = Array.from({ length: 100 }, (_, index) => item(`r${index}`));
  const results = items.map((_, place) =>
    result(place, place % 10 === 7 ? 'failed' : 'passed', 'x'.repeat(100)),
  );
  const kept = [{ item: item('before'), result: result(0, 'failed') }];
  const whole = run({ items, results, kept });
  const limit = 20_000;
  const fitted = fitRun(whole, limit);
  expect(JSON.stringify(fitted).length).toBeLessThan(limit);
  expect(fitted.leftOut).toBe(101 - fitted.items.length - fitted.kept.length);
  expect(fitted.leftOut).toBeGreaterThan(30);
  expect(fitted.kept).toEqual(kept);
  const names = fitted.results.map(({ place, outcome }) => `${fitted.items[place]!.name} ${outcome}`);
  expect(names.filter((name) => name.endsWith('failed'))).toEqual(
    [7, 17, 27, 37, 47, 57, 67, 77, 87, 97].map((index) => `r${index} failed`),
  );
  expect(fitRun(whole, 1_000_000)).toBe(whole);
});

it('claims nothing of a run whose end nobody wrote down', () => {
  runs.keep(run({ state: 'running', items: [item('a'), item('b')], results: [result(1, 'passed')] }));
  const read = runs.read('c')!;
  expect(read.state).toBe('over');
  expect(read.results.map(({ place, outcome }) => `${place} ${outcome}`)).toEqual([
    '1 passed',
    '0 unfinished',
  ]);
  expect(read.results[1]!.reason).toContain('Whether this was sent');
});

it('keeps the last of each of fifty collections', () => {
  for (let index = 0; index < 55; index += 1) {
    const subject = { ...run().subject, collectionId: `c${index}` };
    runs.keep(run({ subject }));
    const file = readdirSync(join(dataDirectory, 'runs'));
    for (const name of file) utimesSync(join(dataDirectory, 'runs', name), 1, 1);
  }
  expect(readdirSync(join(dataDirectory, 'runs'))).toHaveLength(50);
  expect(runs.read('c54')).not.toBeNull();
});

it.each([
  ['no JSON', '{"version":1'],
  ['of another version', '{"version":2,"run":{}}'],
  ['no run', '{"version":1,"run":{"id":7}}'],
  ['nested without end', '['.repeat(100_000)],
])('reads no file that is %s, and logs it', (_what, text) => {
  runs.keep(run());
  const folder = join(dataDirectory, 'runs');
  writeFileSync(join(folder, readdirSync(folder)[0]!), text);
  expect([runs.read('c'), runs.readLatest()]).toEqual([null, null]);
  expect(new Set(logged)).toEqual(new Set(['running.kept_unreadable']));
});

it('knows of none where nothing was run, and takes no other file for one', () => {
  expect([runs.read('c'), runs.readLatest()]).toEqual([null, null]);
  mkdirSync(join(dataDirectory, 'runs'));
  writeFileSync(join(dataDirectory, 'runs', 'notes.json'), '{}');
  expect([runs.read('c'), runs.readLatest(), logged]).toEqual([null, null, []]);
});

it('reads a run that was kept before results told what came later', () => {
  const { later: _later, ...before } = result(0, 'passed', 'Accepted');
  runs.keep(run({ items: [item('a')], results: [before as ItemResult] }));
  expect(runs.read('c')!.results).toEqual([result(0, 'passed', 'Accepted')]);
});

it('leaves the latest run the latest where an environment gets another name', () => {
  const of = (collectionId: string, environment: string) => ({
    environment,
    collectionId,
    path: '',
    only: null,
  });
  runs.keep(run({ id: 'old', subject: of('a', 'data/uat') }));
  const folder = join(dataDirectory, 'runs');
  for (const name of readdirSync(folder)) utimesSync(join(folder, name), 1_000_000, 1_000_000);
  runs.keep(run({ id: 'new', subject: of('b', 'local') }));
  runs.renameEnvironment('data/uat', 'data/live');
  expect(runs.readLatest()?.id).toBe('new');
  expect(runs.read('a')?.subject.environment).toBe('data/live');
});
