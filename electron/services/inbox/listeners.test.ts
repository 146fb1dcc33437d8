import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { AppError } from '@shared/errors';
import type { ListenerWorkerMethods } from '../../listener/listener-worker';
import type { SettingsStore } from '../../platform/ports';
import type { SupervisedWorker } from '../../platform/workers/supervise-worker';
import { RuleFiles } from './rule-files';
import { Listeners } from './listeners';
import { makeTemporaryFolder } from '../../../test/support/temporary';

/** Listeners over a worker that gives the port asked for, 9999 excepted; `told` lists states as they change. */
function createStage(values = new Map<string, unknown>(), directory: string | null = null) {
  const settings: SettingsStore = {
    get: (key) => values.get(key),
    set: (key, value) => void values.set(key, structuredClone(value)),
  };
  const told: string[] = [];
  const calls: unknown[][] = [];
  const worker = {
    isRunning: () => true,
    call: (method: string, input: { port: number; isHttps: boolean; sealingKey: string | null }) => {
      calls.push([method, input]);
      return method === 'start' && input.port === 9999
        ? Promise.reject(new AppError('listener.port_in_use', 'Taken.'))
        : Promise.resolve({
            url: `http${input.isHttps ? 's' : ''}://127.0.0.1:${input.port}`,
            port: input.port,
            remark: input.isHttps && input.sealingKey === null ? 'kept in memory' : null,
          });
    },
    close: () => Promise.resolve(),
  } as unknown as SupervisedWorker<ListenerWorkerMethods>;
  const listeners = new Listeners(
    settings,
    () => worker,
    ({ id, state }) => told.push(`${id} ${state}`),
    () => Promise.resolve(null),
    new RuleFiles(directory),
  );
  return { listeners, values, told, calls, worker };
}

it('remembers port, protocol and rule of each address over restarts, and forgets one that is removed', async () => {
  const { listeners, values } = createStage();
  await listeners.start('main', { port: 5000 });
  await listeners.start('second', { port: 5001, isHttps: true });
  await listeners.setRule('second', { respondStatus: 500, delayMs: 5 });
  const next = createStage(values).listeners;
  expect(next.list().map(({ id, state, rule }) => [id, state, rule.respondStatus])).toEqual([
    ['main', 'stopped', 200],
    ['second', 'stopped', 500],
  ]);
  expect((await next.start('main')).url).toBe('http://127.0.0.1:5000');
  expect((await next.start('second')).url).toBe('https://127.0.0.1:5001');
  await next.remove('second');
  expect(createStage(values).listeners.list()).toHaveLength(1);
});

it('shows the rule that is in force, and not one that could not be kept', async () => {
  const { listeners, values, calls } = createStage();
  values.set = () => {
    throw new AppError('platform.disk_full', 'The disk is full.');
  };
  await expect(listeners.setRule('main', { respondStatus: 204, delayMs: 0 })).rejects.toThrow('full');
  expect([listeners.status('main').rule.respondStatus, calls]).toEqual([200, []]);
});

it('goes on telling why nothing is stored where it is started anew, until that is over', async () => {
  const { listeners } = createStage();
  await listeners.start('main', { port: 5000 });
  listeners.setProblem('The disk is full.');
  await listeners.stop('main');
  expect(listeners.status('main')).toMatchObject({ message: null, isStoring: true });
  expect(await listeners.start('main')).toMatchObject({ message: 'The disk is full.', isStoring: false });
  listeners.setProblem(null);
  expect(listeners.status('main')).toMatchObject({ message: null, isStoring: true });
  listeners.setProblem('The disk is full.');
  listeners.noteCrash();
  expect((await listeners.start('main')).message).toBeNull();
});

it('brings back what ran when the worker ended, and nothing else', async () => {
  const { listeners } = createStage();
  await listeners.start('main', { port: 5000 });
  await listeners.start('second', { port: 5001 });
  await listeners.stop('second');
  listeners.noteCrash();
  expect(listeners.list().map(({ state }) => state)).toEqual(['failed', 'stopped']);
  await listeners.resume();
  expect(listeners.list().map(({ state }) => state)).toEqual(['running', 'stopped']);
});

it('leaves one as it is that somebody started or stopped before it was brought back', async () => {
  const { listeners, calls } = createStage();
  await listeners.start('main', { port: 5000 });
  await listeners.start('second', { port: 5001 });
  listeners.noteCrash();
  const before = calls.length;
  await Promise.all([listeners.start('main'), listeners.stop('second'), listeners.resume()]);
  expect(calls.slice(before).map(([method]) => method)).toEqual(['start', 'stop']);
});

it('is stopped, and not brought back, where the worker ends while it is stopped', async () => {
  const { listeners, calls, worker } = createStage();
  await listeners.start('main', { port: 5000 });
  vi.spyOn(worker, 'call').mockImplementationOnce(() => {
    listeners.noteCrash();
    return Promise.reject(new AppError('worker.stopped', 'A background worker stopped.'));
  });
  expect((await listeners.stop('main')).state).toBe('stopped');
  await listeners.resume();
  expect([listeners.status('main').state, calls.length]).toEqual(['stopped', 1]);
});

it('has one that is removed and started at once run as it is listed, and forgets one started before', async () => {
  const { listeners, calls } = createStage();
  await listeners.start('second', { port: 5001 });
  const removing = listeners.remove('second');
  await Promise.all([removing, listeners.start('second', { port: 5002 })]);
  expect(listeners.status('second')).toMatchObject({ state: 'running', url: 'http://127.0.0.1:5002' });
  await Promise.all([listeners.start('second'), listeners.remove('second')]);
  expect(listeners.list()).toHaveLength(1);
  expect(calls.map(([method]) => method)).toEqual(['start', 'stop', 'start', 'start', 'stop']);
});

it('says of an address why it did not start, and of one that it does not know', async () => {
  const { listeners, told } = createStage();
  await expect(listeners.start('third', { port: 9999 })).rejects.toMatchObject({
    code: 'listener.port_in_use',
  });
  expect(listeners.status('third')).toMatchObject({ state: 'failed', message: 'Taken.' });
  expect(told).toEqual(['third starting', 'third failed']);
  expect(() => listeners.status('nobody')).toThrow(
    expect.objectContaining({ code: 'listener.unknown' }) as Error,
  );
});

it('follows the file of rules: a change is in force, a faulty one is told, and one of its own is not taken twice', async () => {
  const directory = makeTemporaryFolder('rules');
  const file = join(directory, 'answer-rules.json');
  const { listeners, told, calls } = createStage(new Map(), directory);
  await listeners.start('main', { port: 5000 });
  const write = (text: string): void => writeFileSync(file, text);
  const rules = (name: string): string =>
    JSON.stringify({ version: 1, rules: [{ name, answer: { status: 202 } }] });
  const status = () => listeners.status('main');
  write(rules('by hand'));
  await vi.waitFor(() => expect(status().ruleCount).toBe(1), 5000);
  expect(calls.at(-1)).toMatchObject(['setRules', { rules: rules('by hand') }]);
  write('{');
  await vi.waitFor(() => expect(status().message).toMatch(/before this change stay in force/), 5000);
  expect(status().ruleCount).toBe(1);
  listeners.setProblem('The disk is full.');
  expect(status().message).toMatch(/^The disk is full\. .*before this change stay in force/);
  listeners.setProblem(null);
  expect(status().message).toMatch(/^answer-rules.*before this change stay in force/);
  await listeners.setRules('main', rules('in the app'));
  expect(status().message).toBeNull();
  const count = calls.length;
  await new Promise((done) => setTimeout(done, 600));
  expect(calls).toHaveLength(count);
  write('');
  await vi.waitFor(() => expect(status().ruleCount).toBe(0), 5000);
  expect(told.length).toBeGreaterThan(3);
  listeners.close();
});

it('takes what is chosen while it starts: answer rule and rules', async () => {
  const directory = makeTemporaryFolder('rules');
  const rules = JSON.stringify({ version: 1, rules: [{ name: 'late', answer: { status: 202 } }] });
  const { listeners, calls, worker } = createStage(new Map(), directory);
  let go = (_value: unknown): void => undefined;
  vi.spyOn(worker, 'call').mockImplementationOnce(() => new Promise((resolve) => (go = resolve)) as never);
  const starting = listeners.start('main', { port: 5000 });
  await new Promise(setImmediate);
  await listeners.setRule('main', { respondStatus: 500, delayMs: 0 });
  writeFileSync(join(directory, 'answer-rules.json'), rules);
  const before = calls.length;
  go({ url: 'http://127.0.0.1:5000', port: 5000, remark: null });
  expect(await starting).toMatchObject({ rule: { respondStatus: 500 }, ruleCount: 1, state: 'running' });
  expect(calls.slice(before)).toEqual([
    ['setRule', { id: 'main', rule: { respondStatus: 500, delayMs: 0 } }],
    ['setRules', { id: 'main', rules }],
  ]);
  listeners.close();
});

it('has those rules in force that were kept last, though others were on their way', async () => {
  const { listeners, worker, calls } = createStage();
  await listeners.start('main', { port: 5000 });
  const [first, second] = ['first', 'second'].map((name) =>
    JSON.stringify({ version: 1, rules: [{ name, answer: { status: 202 } }] }),
  ) as [string, string];
  await listeners.setRules('main', first);
  let go = (_value: unknown): void => undefined;
  vi.spyOn(worker, 'call').mockImplementationOnce(() => new Promise((resolve) => (go = resolve)) as never);
  const setting: Promise<unknown>[] = [listeners.setRules('main', second)];
  await new Promise(setImmediate);
  setting.push(listeners.setRules('main', first));
  await new Promise(setImmediate);
  go({});
  await Promise.all(setting);
  expect(calls.at(-1)).toEqual(['setRules', { id: 'main', rules: first }]);
  expect(calls.filter(([method]) => method === 'setRules')).toHaveLength(2);
});

it('outlives a worker that ends while changed rules are put in force', async () => {
  const directory = makeTemporaryFolder('rules');
  const { listeners, worker } = createStage(new Map(), directory);
  await listeners.start('main', { port: 5000 });
  const failing = vi.spyOn(worker, 'call').mockRejectedValue(new Error('The worker stopped.'));
  writeFileSync(join(directory, 'answer-rules.json'), '{"version":1,"rules":[]}');
  await vi.waitFor(() => expect(failing).toHaveBeenCalled(), 5000);
  listeners.close();
});

it('stays stopped where it was stopped while it starts', async () => {
  const { listeners, calls, worker } = createStage();
  let go = (_value: unknown): void => undefined;
  vi.spyOn(worker, 'call').mockImplementationOnce(() => new Promise((resolve) => (go = resolve)) as never);
  const starting = listeners.start('main', { port: 5000 });
  await new Promise(setImmediate);
  const stopping = listeners.stop('main');
  await new Promise(setImmediate);
  // It would find nothing to stop before it is there.
  expect(calls).toEqual([]);
  go({ url: 'http://127.0.0.1:5000', port: 5000, remark: null });
  await Promise.all([starting, stopping]);
  expect([calls, listeners.status('main').state]).toEqual([[['stop', { id: 'main' }]], 'stopped']);
});
