import { defineConfig } from '@playwright/test';
import { isThorough } from '../support/effort';
import { dropProductVariables } from '../support/own-variables';

dropProductVariables(process.env);

/**
 * The same specs twice: `browser` drives the web host in Chromium, `electron` the desktop app. Two workers take their files: one
 * those of the desktop app, whose windows share a display and its clipboard, then both what is left of the browser's. Each project
 * has an output folder of its own: a run empties it first.
 */
export default defineConfig({
  testDir: '.',
  // One that starts the desktop app four times took a minute where all other suites ran beside it.
  timeout: 120_000,
  expect: { timeout: 10_000 },
  fullyParallel: false,
  workers: 2,
  retries: process.env['CI'] ? 1 : 0,
  reporter: [['list'], ['json']],
  // A trace costs a third of the processor's time: the second try has one; by hand: `--trace on`.
  use: { trace: 'on-first-retry', screenshot: 'only-on-failure' },
  projects: [
    {
      name: 'electron',
      outputDir: '../../test-results/electron',
      testIgnore: '*.browser.spec.ts',
      grepInvert: isThorough ? undefined : /@page/,
      metadata: { host: 'electron' },
      workers: 1,
    },
    {
      name: 'browser',
      outputDir: '../../test-results/browser',
      testIgnore: '*.electron.spec.ts',
      metadata: { host: 'web' },
    },
  ],
});
