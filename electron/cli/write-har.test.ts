import { expect, it } from 'vitest';
import { writeArchive } from './write-har';

async function write(entries: AsyncIterable<unknown> | Iterable<unknown>): Promise<string> {
  let text = '';
  for await (const line of writeArchive(entries)) text += `${line}\n`;
  return text;
}

it('frames any number of entries, none included', async () => {
  for (const entries of [[], [{ a: 1 }], [{ a: 1 }, { b: 2 }]])
    expect(JSON.parse(await write(entries))).toMatchObject({ log: { entries } });
});

it('writes nothing where the first entry cannot be had', async () => {
  const lines: string[] = [];
  const failing: AsyncIterable<unknown> = {
    [Symbol.asyncIterator]: () => ({
      next: () => Promise.reject(new Error('There is no webhook with this id.')),
    }),
  };
  await expect(
    (async () => {
      for await (const line of writeArchive(failing)) lines.push(line);
    })(),
  ).rejects.toThrow('There is no webhook');
  expect(lines).toEqual([]);
});
