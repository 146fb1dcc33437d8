import { describe, expect, it } from 'vitest';
import { identifyBlock, identifyBlocks } from './identify-block';
import { parseHttpFile } from './parse-http-file';

const identify = (text: string): string[] => {
  const { requests } = parseHttpFile(text);
  return requests.map((_request, index) => identifyBlock(requests, index));
};

describe('a block goes by', () => {
  it('its name', () =>
    expect(identify('### One\nGET http://x\n### Two\nGET http://y\n')).toEqual(['One', 'Two']));
  it('nothing, where it is the only one and has no name', () =>
    expect(identify('GET http://x\n')).toEqual(['']));
  it('its place, where it has no name', () =>
    expect(identify('GET http://x\n###\nGET http://y\n')).toEqual(['#1', '#2']));
  it('the beginning of its name, and place, where it is too long to be told to others', () => {
    const name = 'n'.repeat(2000);
    const text = `### ${name}\nGET http://x\n### ${name}!\nGET http://y\n`;
    expect(identify(text)).toEqual(['n'.repeat(900), `${'n'.repeat(900)}#2`]);
  });
  it('name and place, where an earlier one has that name', () =>
    expect(identify('### A\nGET http://x\n### A\nGET http://y\n')).toEqual(['A', 'A#2']));
  it.each([
    ['A', 'A', 'A#2'],
    ['A', 'A#3', 'A'],
    ['#2', '', 'x'],
    ['A', 'A', 'A#2', 'A#2', 'A#2#'],
  ])('what no other of its file goes by, whatever they are called: %j', (...names) => {
    const made = identifyBlocks(names.map((name) => ({ name })));
    expect(new Set(made).size).toBe(names.length);
  });
});
