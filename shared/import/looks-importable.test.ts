import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { decodeText } from './decode-text';
import { countProcessorMs } from '../../test/support/processor-time';
import { isCommand, looksImportable } from './looks-importable';

const root = join(import.meta.dirname, '..', '..', 'test', 'fixtures', 'import');
/** What a teammate copies: each input that is one file. */
const inputs = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .map((path) => join(root, path))
  .filter((path) => /[\\/]input\.\w+$/.test(path) && statSync(path).isFile())
  .map((path) => [relative(root, path), decodeText(readFileSync(path), path)] as const);

describe('looksImportable', () => {
  it.each(inputs)('holds for %s', (_, text) => {
    expect(inputs.length).toBeGreaterThan(12);
    expect(looksImportable(text)).toBe(true);
  });

  it.each([
    ['Insomnia 4 as YAML', '_type: export\n__export_format: 4\nresources: []\n'],
    ['a long export that has its mark at the end', `{"items":"${'x'.repeat(100_000)}","brunoConfig":{}}`],
    ['a command under a comment', "# as the browser copied it\ncurl 'https://api.example.com/'\n"],
    ['a command with the prompt before it', '$ curl https://api.example.com/'],
    ['a file of Bruno', 'meta {\n  name: Pay\n}\n\npost {\n  url: {{host}}/pay\n}\n'],
  ])('holds for %s', (_, text) => {
    expect(looksImportable(text)).toBe(true);
  });

  it.each([
    ['a body', '{"transaction":{"reference":"R-1","amount":1500},"meta":{"a":1}}'],
    ['a webhook', '{"status":"SUCCESS","client_reference":"R-1","metadata":{}}'],
    ['a key', '-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----\n'],
    ['prose that names a command', 'Try it with curl first, then tell me what curl says.'],
    ['references, one a line', 'INV-2041\nINV-2042\n'],
    ['nothing', ''],
  ])('does not hold for %s', (_, text) => {
    expect(looksImportable(text)).toBe(false);
  });
});

it('looks for marks at the two ends of a long text, and at the whole of a shorter one', () => {
  const mark = '"brunoConfig":{}';
  const around = (before: number, after: number): string => 'x'.repeat(before) + mark + 'x'.repeat(after);
  for (const [before, after, isFound] of [
    [30_000, 30_000, false],
    [19_000, 60_000, true],
    [60_000, 19_000, true],
    [20_000 - 8, 20_000 - 8, true],
    [20_000 - 8, 20_000 - 7, false],
  ] as const)
    expect(looksImportable(around(before, after)), `${before}, ${after}`).toBe(isFound);
});

it('looks at a text of line ends or blanks alone as fast as at any other', () => {
  for (const filling of ['\n', '\r', '\n\t', '\r\n', '\t', ' ', '"entries" ', 'meta\n', 'meta {\n a', '$ ']) {
    const text = filling.repeat(40_000);
    const readMs = countProcessorMs();
    looksImportable(text);
    expect(readMs(), JSON.stringify(filling)).toBeLessThan(200);
  }
});

describe('isCommand', () => {
  it('holds for a text that begins with the command, and for no other', () => {
    expect(isCommand("  $ curl 'https://api.example.com/'")).toBe(true);
    expect(isCommand('Invoke-RestMethod -Uri https://api.example.com/')).toBe(true);
    expect(isCommand('https://api.example.com/curl ')).toBe(false);
  });
});
