import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { dropProductVariables } from './test/support/own-variables';

dropProductVariables(process.env);

const at = (path: string): string => resolve(import.meta.dirname, path);
const alias = { '@shared': at('shared') };

/** One run takes all suites and spreads their files. Most of them wait for processes half of their time: four keep two cores busy. */
const maxWorkers = 4;

const setupFiles = [at('test/support/end-with-file.ts')];

/** Suites of many thousand cases or of many processes: minutes, where the others take seconds. */
const slow = [
  'test/integration/doctor-*.test.ts',
  'test/integration/snippets*.test.ts',
  'test/integration/*-fuzz*.test.ts',
  'test/conformance/fuzz.test.ts',
  'test/conformance/kill.test.ts',
];

/** Unit tests that put something in the place of a module: other files of their process would get it, too. */
const mocking = ['shared', 'electron', 'renderer']
  .flatMap((folder) =>
    readdirSync(at(folder), { recursive: true, encoding: 'utf8' }).map((path) => `${folder}/${path}`),
  )
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => /\.test\.tsx?$/.test(path) && readFileSync(at(path), 'utf8').includes('vi.mock('));

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
  mocking: { include: mocking, testTimeout: 60_000 },
  slow: { include: slow },
  contract: { include: ['test/contract/**/*.test.ts'] },
  conformance: { include: ['test/conformance/**/*.test.ts'], exclude: slow, isolate: false },
  integration: {
    include: ['test/integration/**/*.test.ts'],
    // What they start are processes anyway: one of Vitest's for each file took a twentieth of the processor's time.
    isolate: false,
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
          exclude: mocking,
          setupFiles,
          testTimeout: 60_000,
          // A process for each of two hundred files, and the product loaded anew in each, took longer than their tests.
          isolate: false,
          maxWorkers,
        },
      },
      ...Object.entries(suites).map(([name, suite]) => ({
        resolve: { alias },
        test: { name, setupFiles, testTimeout: 240_000, hookTimeout: 120_000, maxWorkers, ...suite },
      })),
    ],
  },
});
