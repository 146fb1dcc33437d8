/* global createImageBitmap, OffscreenCanvas */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { looks } from './take-pictures.mjs';

/** In the gallery's folder: the pictures of the run before, what they were of, and the differences. */
const before = 'before';
const list = 'pictures.json';

/**
 * Puts the pictures of the last run aside, those of the shots that are taken now; a whole run forgets the rest.
 * @returns the boxes of each picture, that were others by nature then
 */
export function putAside(folder, names, isWhole) {
  const last = join(folder, before);
  if (isWhole) rmSync(last, { recursive: true, force: true });
  mkdirSync(last, { recursive: true });
  const taken = new Set(names.flatMap((name) => looks.map(({ id }) => `${name}-${id}`)));
  for (const file of readdirSync(folder)) {
    const [, name, ending] = /^(.*?)((?:\.difference)?\.png)$/.exec(file) ?? [];
    if (!isWhole && !taken.has(name)) continue;
    if (ending === '.png') renameSync(join(folder, file), join(last, file));
    else if (ending !== undefined) rmSync(join(folder, file));
  }
  return existsSync(join(folder, list)) ? JSON.parse(readFileSync(join(folder, list), 'utf8')) : {};
}

/** Keeps, for the next run, where two pictures are not to be compared. */
export function keepVolatile(folder, kept, pictures) {
  const ofThese = Object.fromEntries(pictures.map(({ file, volatile }) => [file, volatile]));
  writeFileSync(join(folder, list), JSON.stringify({ ...kept, ...ofThese }));
}

/**
 * Compares each picture with that of the run before, dot by dot, in a page of the browser.
 * @param kept - what {@link putAside} gave: the boxes that were others by nature then
 * @returns the pictures, each with `change`: `new`, or the share of dots that differ, and where the difference is drawn
 */
export async function comparePictures({ app, folder, pictures, kept }) {
  const page = await app.page.context().newPage();
  const compared = [];
  for (const picture of pictures) {
    const { file } = picture;
    const earlier = join(folder, before, file);
    if (!existsSync(earlier)) compared.push({ ...picture, change: { kind: 'new' } });
    else {
      const pair = [readFileSync(earlier), readFileSync(join(folder, file))];
      const isSame = pair[0].equals(pair[1]);
      const masks = [...picture.volatile, ...(kept[file] ?? [])];
      const result = isSame ? { share: 0 } : await page.evaluate(compareInPage, [pair.map(toText), masks]);
      compared.push({ ...picture, change: keepDifference(folder, file, result) });
    }
  }
  await page.close();
  return compared;
}

const toText = (bytes) => bytes.toString('base64');

function keepDifference(folder, file, { share, difference }) {
  if (share === 0) return { kind: 'same' };
  const name = file.replace(/\.png$/, '.difference.png');
  writeFileSync(join(folder, name), Buffer.from(difference, 'base64'));
  return { kind: 'changed', share, before: `${before}/${file}`, difference: name };
}

/** Runs in the page: the share of dots that differ outside the masks, and a picture that shows them in red on grey. */
async function compareInPage([texts, masks]) {
  const leastStep = 24;
  const readDots = async (text) => {
    const bytes = Uint8Array.from(atob(text), (one) => one.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
    context.drawImage(image, 0, 0);
    context.fillStyle = '#888';
    for (const mask of masks) context.fillRect(...mask);
    return context;
  };
  const [old, now] = await Promise.all(texts.map(readDots));
  const { width, height } = now.canvas;
  const [was, is] = [old, now].map((one) => one.getImageData(0, 0, width, height));
  let differing = 0;
  for (let at = 0; at < is.data.length; at += 4) {
    const step = [0, 1, 2].reduce(
      (most, c) => Math.max(most, Math.abs(is.data[at + c] - was.data[at + c])),
      0,
    );
    const grey = 160 + ((is.data[at] + is.data[at + 1] + is.data[at + 2]) >> 3);
    const isOther = step > leastStep;
    if (isOther) differing += 1;
    is.data.set(isOther ? [216, 32, 48, 255] : [grey, grey, grey, 255], at);
  }
  now.putImageData(is, 0, 0);
  const blob = await now.canvas.convertToBlob({ type: 'image/png' });
  const bytes = new Uint8Array(await blob.arrayBuffer());
  let text = '';
  for (let at = 0; at < bytes.length; at += 8192)
    text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return { share: differing / (width * height), difference: btoa(text) };
}
