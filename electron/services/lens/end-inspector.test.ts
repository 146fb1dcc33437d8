import { expect, it } from 'vitest';
import { makeTemporaryFolder } from '../../../test/support/temporary';
import { createLensService, type LensServiceDeps } from './create-lens-service';

it('ends its threads once they have read what they were asked for: one that is in a database ends the process', async () => {
  const said: string[] = [];
  let giveOwn = (_own: object): void => undefined;
  const own = new Promise((resolve) => (giveOwn = resolve));
  const answers: Record<string, () => void> = {};
  const lens = createLensService({
    ports: {
      dataDirectory: makeTemporaryFolder('end-inspector'),
      version: '0',
      settings: { get: () => undefined },
      logger: { log: () => undefined },
      startWorker: () => ({
        call: (method: string) =>
          new Promise<void>((resolve) => {
            answers[method] = () => (said.push(method), resolve());
            // In turn: what is asked before it is answered before it.
            if (method === 'cancel') void lists.then(() => answers['cancel']!());
          }),
        onEvent: () => undefined,
        onExit: () => undefined,
        terminate: () => Promise.resolve(void said.push('end')),
      }),
    },
    events: { emit: () => undefined, subscribe: () => () => undefined },
    listOwn: () => own,
  } as unknown as LensServiceDeps);
  const lists = Promise.resolve(lens.handlers['proxy.list']({} as never));
  const report = lens.handlers['golive.report']({ since: null });
  await expect.poll(() => Object.keys(answers)).toEqual(['list']);
  const closed = lens.close().then(() => said.push('closed'));
  await expect.poll(() => said).toEqual([]);
  answers['list']!();
  await expect.poll(() => said).toEqual(['list', 'cancel', 'end']);
  giveOwn({});
  await expect.poll(() => Object.keys(answers)).toContain('report');
  answers['report']!();
  await Promise.all([report, closed]);
  expect(said).toEqual(['list', 'cancel', 'end', 'report', 'end', 'closed']);
});
