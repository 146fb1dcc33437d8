import { expect, it, vi } from 'vitest';
import { setTransport } from '../transport/client';
import { createFakeTransport } from '../transport/fake';
import { loadEnvironments, useEnvironments } from './environments';

it('is done with reading once what was asked for last stands there, for who asked before, too', async () => {
  const answers: (() => void)[] = [];
  setTransport(
    createFakeTransport({
      'environments.list': () =>
        new Promise((resolve) => answers.push(() => resolve({ environments: [], faults: [] }))),
    }),
  );
  const isLoadedThen = loadEnvironments().then(() => useEnvironments.getState().isLoaded);
  const last = loadEnvironments();
  await vi.waitFor(() => expect(answers).toHaveLength(2));
  answers[0]!();
  await new Promise(setImmediate);
  answers[1]!();
  await last;
  expect(await isLoadedThen).toBe(true);
});
