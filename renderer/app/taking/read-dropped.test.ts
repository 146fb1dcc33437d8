import { afterEach, expect, it, vi } from 'vitest';
import { useAskedImport } from '../../session/asked-import';
import { takeAll } from './ask-about-dropped';

/** A folder as a browser gives it: its entries by the hundred. */
function fakeFolder(name: string, names: readonly string[]): FileSystemEntry {
  const entries = names.map((one) => ({
    name: one,
    isFile: true,
    isDirectory: false,
    file: (resolve: (file: File) => void) => resolve(new File(['{}'], one)),
  }));
  const createReader = () => {
    let at = 0;
    return { readEntries: (resolve: (some: unknown[]) => void) => resolve(entries.slice(at, (at += 100))) };
  };
  return { name, isFile: false, isDirectory: true, createReader } as unknown as FileSystemEntry;
}

afterEach(() => vi.unstubAllGlobals());

it.each([
  ['exports', ['a.json'], 'more than 20000 files', 'At most 100 files'],
  ['bruno', ['bruno.json'], 'bruno', 'The folder holds more than 20000 files. Import it in parts.'],
])('counts no further than it lists a folder of %s', async (name, first, said, message) => {
  const names = [
    ...first,
    ...Array.from({ length: 30_000 }, (_, at) => `${at}.${name === 'bruno' ? 'bru' : 'json'}`),
  ];
  vi.stubGlobal('document', { querySelector: () => null });
  vi.stubGlobal('window', {});
  useAskedImport.setState({ asked: null, waiting: [] });
  await takeAll([{ file: new File([], name), entry: fakeFolder(name, names) }]);
  const refused = useAskedImport.getState().asked?.refused;
  expect(refused?.name).toBe(said);
  expect(refused?.error.message).toContain(message);
});
