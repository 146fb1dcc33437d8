import { afterEach, expect, it, vi } from 'vitest';
import { useSettings } from '../../../session/settings-store';
import { editFile } from '../editor/edit-actions';
import { selectActiveTab } from '../requests-selectors';
import { useRequestsStore } from '../requests-store';
import { startFakeBackEnd } from '../test-support';
import { openRequest } from '../tree/collection-actions';
import { keepOnChange } from './keep-on-change';

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  useSettings.setState(useSettings.getInitialState(), true);
});

it('has what is typed in the settings within a second, also of somebody who goes on typing', async () => {
  vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => undefined });
  vi.stubGlobal('window', new EventTarget());
  const fake = startFakeBackEnd(
    { 'a.http': 'GET a' },
    { 'settings.update': () => useSettings.getState().settings },
  );
  vi.useFakeTimers();
  const stop = keepOnChange();
  await openRequest('a.http');
  const { id } = selectActiveTab(useRequestsStore.getState())!;
  for (let letters = 1; letters <= 10; letters += 1) {
    editFile(id, 'x'.repeat(letters));
    await vi.advanceTimersByTimeAsync(100);
  }
  editFile(id, 'end');
  stop();
  const ended = fake.calls.length;
  await vi.advanceTimersByTimeAsync(5000);
  expect(fake.calls).toHaveLength(ended);
  const saved = fake.calls.filter(({ method }) => method === 'settings.update');
  expect(JSON.stringify(saved.at(-1))).toMatch(/"text":"x{5,}"/);
});
