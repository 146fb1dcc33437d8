import { readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const assets = resolve('out/renderer/assets');
const sizeOf = (pattern: RegExp): number => {
  const names = readdirSync(assets).filter((name) => pattern.test(name));
  return names.reduce((total, name) => total + statSync(join(assets, name)).size, 0);
};

describe('what the window loads', () => {
  it('has the editor in at most 2.2 MB, and no worker but the one that reads long answers', () => {
    const bytes = sizeOf(/^monaco-editor-.*\.js$/);
    expect(bytes).toBeGreaterThan(1_000_000);
    expect(bytes).toBeLessThanOrEqual(2_200_000);
    const workers = readdirSync(assets).filter((name) => /worker/.test(name));
    expect(workers).toEqual([expect.stringMatching(/^json-document-worker-/)]);
  });

  it('has nothing else as large as 400 kB', () => {
    const large = readdirSync(assets).filter((name) => statSync(join(assets, name)).size > 400_000);
    expect(large).toEqual([expect.stringMatching(/^monaco-editor-.*\.js$/)]);
  });
});
