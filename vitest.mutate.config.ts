import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';

/** The tests that a mutation is held against: those of pure code, which take milliseconds; not those of 100,000 cases, or of limits. */
export default defineConfig({
  resolve: { alias: { '@shared': resolve(import.meta.dirname, 'shared') } },
  test: {
    include: [`${process.env['MUTATE_FOLDER'] ?? '{shared,electron/sandbox/money}'}/**/*.test.ts`],
    exclude: ['electron/sandbox/money/money-invariants.test.ts', '**/*-fuzz.test.ts', '**/*-bounds.test.ts'],
    setupFiles: [resolve(import.meta.dirname, 'test/support/end-with-file.ts')],
    testTimeout: 60_000,
    env: { MUTATING: '1' },
  },
});
