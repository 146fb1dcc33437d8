/**
 * `npm run gallery`: every view in every state, theme and size, as one page of pictures: `gallery/index.html`. It says what
 * changed since the last run, and ends with 1 where a picture shows something wrong: axe's findings, a part beyond the
 * window, a state that was not reached.
 *
 * `npm run gallery -- inbox sandbox` takes those views alone, `-- keys full` that state of it, `-- film` the moving picture of
 * the README, `-- docs` that and the few that the docs show, which go to `docs/images`; so they do where nothing was left out.
 */
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildIfStale, root } from './build-if-stale.mjs';
import { comparePictures, keepVolatile, putAside } from '../test/gallery/compare-pictures.mjs';
import { docsPictures, movingPicture } from '../test/gallery/docs-pictures.mjs';
import { filmPayment } from '../test/gallery/film-payment.mjs';
import { startGalleryApp } from '../test/gallery/start-gallery-app.mjs';
import { writeGalleryPage } from '../test/gallery/gallery-page.mjs';
import { looks, nameShot, takePictures } from '../test/gallery/take-pictures.mjs';
import { shots, states } from '../test/gallery/states.mjs';

const words = process.argv.slice(2);
const views = [...new Set(shots.map(({ view }) => view))];
const stateIds = states.map(({ id }) => id);
const unknown = words.find((word) => ![...views, ...stateIds, 'film', 'docs'].includes(word));
if (unknown !== undefined) {
  const known = `The views are: ${views.join(', ')}; the states: ${stateIds.join(', ')}; and film, docs.`;
  console.error(`There is no view or state '${unknown}'. ${known}`);
  process.exit(2);
}
const ofWords = (known) => (words.some((word) => known.includes(word)) ? words : known);
const isForDocs = words.length === 0 || words.includes('docs');
const ofDocs = Object.values(docsPictures);
const isWanted = words.includes('docs')
  ? (shot) => looks.some(({ id }) => ofDocs.includes(`${nameShot(shot)}-${id}`))
  : ({ view, state }) => ofWords(views).includes(view) && ofWords(stateIds).includes(state);

buildIfStale();
const images = join(root, 'docs', 'images');
mkdirSync(images, { recursive: true });
if (isForDocs || words.includes('film')) await withApp(film);
if (words.length === 0 || words.some((word) => word !== 'film')) await withApp(takeAll);

/** Does something with an app that has just been started over an empty data folder. */
async function withApp(work) {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'countersign-gallery-'));
  const app = await startGalleryApp(dataDirectory);
  try {
    await work(app);
  } finally {
    await app.stop();
    rmSync(dataDirectory, { recursive: true, force: true });
  }
}

async function film(app) {
  console.log('the moving picture …');
  writeFileSync(join(images, `${movingPicture}.png`), await filmPayment(app));
}

async function takeAll(app) {
  const folder = join(root, 'gallery');
  mkdirSync(folder, { recursive: true });
  const kept = putAside(folder, shots.filter(isWanted).map(nameShot), words.length === 0);
  const pictures = [];
  for (const state of states) {
    console.log(`${state.id}: ${state.label} …`);
    pictures.push(...(await takePictures({ app, state, folder, isWanted })));
  }
  const compared = await comparePictures({ app, folder, pictures, kept });
  keepVolatile(folder, kept, pictures);
  writeFileSync(join(folder, 'index.html'), writeGalleryPage(states, compared));
  if (isForDocs) {
    for (const [name, picture] of Object.entries(docsPictures))
      copyFileSync(join(folder, `${picture}.png`), join(images, `${name}.png`));
  }
  const changedCount = compared.filter(({ change }) => change.kind === 'changed').length;
  console.log(
    `${pictures.length} pictures, ${changedCount} changed: ${pathToFileURL(join(folder, 'index.html')).href}`,
  );
}
