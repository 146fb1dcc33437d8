import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const alias = { '@shared': resolve(import.meta.dirname, 'shared') };

/** Suites of many thousand cases or of many processes: minutes, where the others take seconds. */
const slow = [
  'test/integration/doctor-*.test.ts',
  'test/integration/snippets*.test.ts',
  'test/integration/*-fuzz*.test.ts',
  'test/conformance/fuzz.test.ts',
  'test/conformance/kill.test.ts',
];

/** Starts the slow files first: one that is left for the end keeps a core waiting. */
class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isSlow = ({ project }: TestSpecification): boolean => project.name === 'slow';
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))];
  }
}

/** Suites that drive servers and processes. `load` measures, so it runs alone; the others share the machine. */
const suites = {
  slow: { include: slow },
  contract: { include: ['test/contract/**/*.test.ts'] },
  conformance: { include: ['test/conformance/**/*.test.ts'], exclude: slow },
  integration: {
    include: ['test/integration/**/*.test.ts'],
    exclude: [...slow, 'test/integration/**/*load*.test.ts'],
  },
  load: { include: ['test/integration/**/*load*.test.ts'], fileParallelism: false },
};

/** `unit` and `conformance` run from source; the other suites drive what `npm run build` made. */
export default defineConfig({
  test: {
    sequence: { sequencer: SlowFirst },
    projects: [
      {
        resolve: { alias },
        test: {
          name: 'unit',
          include: ['{shared,electron,renderer,test/structure}/**/*.test.{ts,tsx}'],
          testTimeout: 60_000,
          // As the suites below: one run takes them all, and spreads their files over two cores.
          maxWorkers: 2,
        },
      },
      ...Object.entries(suites).map(([name, suite]) => ({
        resolve: { alias },
        test: { name, testTimeout: 240_000, hookTimeout: 120_000, maxWorkers: 2, ...suite },
      })),
    ],
  },
});
