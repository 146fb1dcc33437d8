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

it('says of a folder that may not be listed what to look at, and asks about what was dropped with it', async () => {
  vi.stubGlobal('document', { querySelector: () => null });
  vi.stubGlobal('window', {});
  useAskedImport.setState({ asked: null, waiting: [] });
  const refuse = (_found: unknown, reject: (error: Error) => void): void =>
    reject(new Error('An attempt was made to write to a file'));
  const createReader = () => ({ readEntries: refuse });
  const closed = { name: 'closed', isDirectory: true, createReader } as unknown as FileSystemEntry;
  const exports = { file: new File([], 'exports'), entry: fakeFolder('exports', ['a.json']) };
  await takeAll([{ file: new File([], 'closed'), entry: closed }, exports]);
  const message = 'closed cannot be listed: look at its permissions.';
  expect(useAskedImport.getState().asked?.together).toMatchObject([
    { refused: { name: 'closed', error: { code: 'import.not_readable', message } } },
    { source: { name: 'a.json' } },
  ]);
});
