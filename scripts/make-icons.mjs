/**
 * Draws `resources/icon.svg` in each size that desktops ask for, into `resources/icons`; the packages of Linux take them all,
 * those of macOS and Windows are made of the largest. Needs Chromium or Chrome.
 */
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { root } from './build-if-stale.mjs';
import { findOrInstallChromium } from './find-browser.mjs';

const SIZES = [16, 24, 32, 48, 64, 96, 128, 256, 512, 1024];

const executablePath = findOrInstallChromium();
if (!executablePath) {
  console.error('Install Chromium or Chrome (or set CHROME_PATH): it draws the icons.');
  process.exit(1);
}
const drawing = readFileSync(join(root, 'resources', 'icon.svg')).toString('base64');
const folder = join(root, 'resources', 'icons');
mkdirSync(folder, { recursive: true });
const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
const browser = await chromium.launch({ executablePath, args });
for (const size of SIZES) {
  const page = await browser.newPage({ viewport: { width: size, height: size } });
  await page.setContent(
    `<body style="margin:0"><img width="${size}" height="${size}" style="display:block" src="data:image/svg+xml;base64,${drawing}">`,
  );
  await page.locator('img').evaluate((image) => image.decode());
  await page.screenshot({ path: join(folder, `${size}x${size}.png`), omitBackground: true });
  await page.close();
}
await browser.close();
console.log(`${SIZES.length} sizes are in resources/icons.`);
