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
    ['what is refused with its own words', 'swagger: "2.0"\npaths: {}\n'],
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

it('finds a mark wherever it stands: behind a name of 100,000 letters, before as long a text', () => {
  const schema = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';
  const item = Array.from({ length: 300 }, () => ({ name: 'Pay', request: 'https://api.example.com/pay' }));
  expect(looksImportable(JSON.stringify({ info: { name: 'x'.repeat(100_000), schema }, item }))).toBe(true);
  const filling = 'x\n'.repeat(50_000);
  expect(looksImportable(`${filling}curl https://api.example.com/\n${filling}`)).toBe(true);
  expect(looksImportable(filling)).toBe(false);
});

it('looks at a text of line ends or blanks alone as fast as at any other', () => {
  for (const filling of ['\n', '\r', '\n\t', '\r\n', '\t', ' ', '"entries" ', 'meta\n', 'meta {\n a', '$ ']) {
    const text = filling.repeat(400_000);
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
