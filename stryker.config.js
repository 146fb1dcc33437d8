/**
 * `npm run mutate`: changes the code in small ways and counts the changes that no test notices. For what reckons and
 * reads bytes; not in CI, it takes hours. `MUTATE_FOLDER=shared/json npm run mutate` asks the tests of one folder about it,
 * which takes minutes; `npm run mutate -- --mutate shared/payments/decimal.ts` asks all of them about one file;
 * of several, tests are left out by hand: `--mutate 'shared/csv/*.ts,!shared/csv/*.test.ts'`.
 */
const folder = process.env.MUTATE_FOLDER ?? '{shared,electron/sandbox/money}';

export default {
  testRunner: 'vitest',
  vitest: { configFile: 'vitest.mutate.config.ts' },
  mutate: [`${folder}/**/*.ts`, '!**/*.test.ts', '!**/testing/**'],
  // Texts for people are not what is asked about here; a changed message would have to be copied into a test.
  mutator: { excludedMutations: ['StringLiteral'] },
  concurrency: 1,
  tempDirName: '.stryker-tmp',
  reporters: ['clear-text', 'progress'],
  clearTextReporter: { allowColor: false, reportTests: false },
  thresholds: { high: 95, low: 90, break: 90 },
};
