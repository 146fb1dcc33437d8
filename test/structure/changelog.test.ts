import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

it('has no entry twice in the changelog, as a merge of two branches leaves it', () => {
  const text = readFileSync(join(import.meta.dirname, '..', '..', 'CHANGELOG.md'), 'utf8');
  for (const version of text.split(/^## /m)) {
    const entries = version.split(/^- /m).slice(1);
    expect(entries.filter((entry, place) => entries.indexOf(entry) !== place)).toEqual([]);
  }
});
