import { expect, it } from 'vitest';
import { countProcessorMs } from '../../test/support/processor-time';
import { exportCollection } from './export-collection';
import { exportFormats, type ExportFormat } from './export-formats';

const formats = Object.keys(exportFormats) as ExportFormat[];
const sources = { now: () => 0, random: { uuid: () => 'u', bytes: (size: number) => new Uint8Array(size) } };

const paid = 'POST http://h/a\nAuthorization: Bearer {{token.payout}}\n\n';

it.each(
  [
    ['parameters', `GET http://h/a?x=1${'&a=b'.repeat(30_000)}\n`],
    ['headers', `GET http://h/a\n${'A: b\n'.repeat(30_000)}`],
    ['variables in a body', `${paid}{"a":"${`{{a}} ${'words '.repeat(10)}`.repeat(60_000)}"}\n`],
    ['quotes that are escaped outside JSON', `POST http://h/a\n\nx ${'\\"'.repeat(60_000)}\n`],
  ].flatMap(([what, text]) => formats.map((format) => [format, what!, text!] as const)),
)('%s takes time that grows with the number of %s', (format, _what, text) => {
  const source = { name: 'C', environment: null, readFile: () => null, sources, version: '1' };
  const processorMs = countProcessorMs();
  exportCollection({ ...source, files: [{ path: 'a.http', text }] }, format);
  expect(processorMs()).toBeLessThan(2_000);
});
