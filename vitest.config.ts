import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';

const alias = { '@shared': resolve(import.meta.dirname, 'shared') };

/** Suites that drive servers and processes. `load` measures, so it runs alone; the others share the machine. */
const suites = {
  contract: { include: ['test/contract/**/*.test.ts'] },
  conformance: { include: ['test/conformance/**/*.test.ts'] },
  integration: {
    include: ['test/integration/**/*.test.ts'],
    exclude: ['test/integration/**/*load*.test.ts'],
  },
  load: { include: ['test/integration/**/*load*.test.ts'], fileParallelism: false },
};

/** `unit` and `conformance` run from source; the other suites drive what `npm run build` made. */
export default defineConfig({
  test: {
    projects: [
      {
        resolve: { alias },
        test: {
          name: 'unit',
          include: ['{shared,electron,renderer}/**/*.test.{ts,tsx}'],
          testTimeout: 60_000,
        },
      },
      ...Object.entries(suites).map(([name, suite]) => ({
        resolve: { alias },
        test: { name, testTimeout: 240_000, hookTimeout: 120_000, maxWorkers: 2, ...suite },
      })),
    ],
  },
});
