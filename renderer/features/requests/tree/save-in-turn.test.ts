import { expect, it, vi } from 'vitest';
import { editFile } from '../editor/edit-actions';
import { isDirty, selectActiveTab } from '../requests-selectors';
import { useRequestsStore } from '../requests-store';
import { startFakeBackEnd } from '../test-support';
import { openRequest, saveTab } from './collection-actions';

const active = () => selectActiveTab(useRequestsStore.getState())!;

it('saves what was typed while a save was under way over that save, and takes it for nobody else’s change', async () => {
  const files = { 'a.http': 'GET http://x/1\n' };
  const fake = startFakeBackEnd(files);
  await openRequest('a.http');
  const write = fake.handlers['collections.write']!;
  let goOn = (): void => undefined;
  fake.handlers['collections.write'] = async (input) => {
    const written = await write(input);
    await new Promise<void>((resolve) => (goOn = resolve));
    return written;
  };
  editFile(active().id, 'GET http://x/2\n');
  const saves = [saveTab(active().id)];
  await vi.waitFor(() => expect(files['a.http']).toBe('GET http://x/2\n'));
  fake.handlers['collections.write'] = write;
  editFile(active().id, 'GET http://x/3\n');
  saves.push(saveTab(active().id));
  await Promise.race([saves[1], new Promise(setImmediate)]);
  goOn();
  await Promise.all(saves);
  expect(active()).toMatchObject({ conflict: null, error: null });
  expect(isDirty(active())).toBe(false);
  expect(files['a.http']).toBe('GET http://x/3\n');
});
