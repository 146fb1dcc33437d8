/**
 * `npm run gallery`: every view in every state, theme and size, as one page of pictures: `gallery/index.html`.
 *
 * `npm run gallery -- inbox sandbox` takes those views alone. The few that the docs show are copied to `docs/images`
 * where nothing was left out.
 */
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildIfStale, root } from './build-if-stale.mjs';
import { startGalleryApp } from '../test/gallery/start-gallery-app.mjs';
import { writeGalleryPage } from '../test/gallery/gallery-page.mjs';
import { takePictures } from '../test/gallery/take-pictures.mjs';
import { shots, states } from '../test/gallery/states.mjs';

/** Pictures of the docs, by the name that they have there. */
const docsPictures = {
  'requests-light': 'requests-full-wide-light',
  'inbox-dark': 'inbox-full-wide-dark',
  'signature-lab-light': 'lab-full-wide-light',
  'sandbox-light': 'sandbox-full-wide-light',
  'balances-dark': 'balances-full-wide-dark',
};

const wanted = process.argv.slice(2);
const views = [...new Set(shots.map(({ view }) => view))];
const unknown = wanted.find((view) => !views.includes(view));
if (unknown !== undefined) {
  console.error(`There is no view '${unknown}'. The views are: ${views.join(', ')}.`);
  process.exit(2);
}

buildIfStale();
const folder = join(root, 'gallery');
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const dataDirectory = mkdtempSync(join(tmpdir(), 'countersign-gallery-'));
const app = await startGalleryApp(dataDirectory);
try {
  const pictures = [];
  for (const state of states) {
    console.log(`${state.id}: ${state.label} …`);
    pictures.push(...(await takePictures({ app, state, folder, wanted })));
  }
  writeFileSync(join(folder, 'index.html'), writeGalleryPage(states, pictures));
  if (wanted.length === 0) copyToDocs();
  console.log(`${pictures.length} pictures: ${pathToFileURL(join(folder, 'index.html')).href}`);
} finally {
  await app.stop();
  rmSync(dataDirectory, { recursive: true, force: true });
}

function copyToDocs() {
  const images = join(root, 'docs', 'images');
  mkdirSync(images, { recursive: true });
  for (const [name, picture] of Object.entries(docsPictures))
    copyFileSync(join(folder, `${picture}.png`), join(images, `${name}.png`));
}
