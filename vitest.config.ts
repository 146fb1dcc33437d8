import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';

const alias = { '@shared': resolve(import.meta.dirname, 'shared') };

/** `unit` runs from source; the other suites drive what `npm run build` made. */
export default defineConfig({
  test: {
    projects: [
      {
        resolve: { alias },
        test: {
          name: 'unit',
          include: ['{shared,electron,renderer}/**/*.test.{ts,tsx}'],
          testTimeout: 20_000,
        },
      },
      ...(['contract', 'conformance', 'integration'] as const).map((name) => ({
        resolve: { alias },
        test: {
          name,
          include: [`test/${name}/**/*.test.ts`],
          testTimeout: 120_000,
          hookTimeout: 60_000,
          fileParallelism: name !== 'integration',
        },
      })),
    ],
  },
});
