import { defineConfig } from '@playwright/test';

/** The same specs twice: `browser` drives the web host in Chromium, `electron` the desktop app. */
export default defineConfig({
  testDir: '.',
  outputDir: '../../test-results',
  timeout: 60_000,
  expect: { timeout: 10_000 },
  fullyParallel: false,
  workers: 1,
  retries: process.env['CI'] ? 1 : 0,
  reporter: [['list'], ['json']],
  use: { trace: 'retain-on-failure', screenshot: 'only-on-failure' },
  projects: [
    { name: 'browser', testIgnore: '*.electron.spec.ts', metadata: { host: 'web' } },
    { name: 'electron', testIgnore: '*.browser.spec.ts', metadata: { host: 'electron' } },
  ],
});
