/* global document, DOMRect, innerHeight, innerWidth, NodeFilter, requestAnimationFrame */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  findCutControls,
  findOverflow,
  findViolations,
  themeRules,
  visualRules,
} from '../support/find-look-faults.mjs';
import { shots } from './states.mjs';

const light = { colorScheme: 'light', forcedColors: 'none', contrast: 'no-preference' };
const dark = { ...light, colorScheme: 'dark' };
const wide = { width: 1280, height: 800, deviceScaleFactor: 1 };
const small = { width: 960, height: 600, deviceScaleFactor: 1 };
const zoom = { width: 853, height: 533, deviceScaleFactor: 1.5 };
const far = { width: 1600, height: 1000, deviceScaleFactor: 0.8 };
const double = { width: 640, height: 400, deviceScaleFactor: 2 };

/**
 * The pictures of each state, by what they are called in a file's name: how large the window is, how it looks, and which of
 * axe's rules are asked there (null: all). `far`, `zoom` and `double` are a window of 1280 × 800 at 80, 150 and 200 %; `double` is
 * one of 960 × 600 at 150 %, too.
 */
export const looks = [
  { id: 'wide-light', metrics: wide, media: light, rules: null },
  { id: 'wide-dark', metrics: wide, media: dark, rules: themeRules },
  { id: 'wide-forced', metrics: wide, media: { ...dark, forcedColors: 'active' }, rules: [] },
  { id: 'wide-contrast', metrics: wide, media: { ...light, contrast: 'more' }, rules: themeRules },
  { id: 'far-light', metrics: far, media: light, rules: [] },
  { id: 'small-light', metrics: small, media: light, rules: visualRules },
  { id: 'small-dark', metrics: small, media: dark, rules: [] },
  { id: 'zoom-light', metrics: zoom, media: light, rules: [] },
  { id: 'zoom-dark', metrics: zoom, media: dark, rules: [] },
  { id: 'double-light', metrics: double, media: light, rules: [] },
];

/** Words that are others in every run: times, ports, ids made by chance, digests. Two runs are not compared there. */
const volatile =
  /just now|\d{1,2}:\d\d(?::\d\d(?:\.\d+)?)?|\b\d+(?:\.\d+)? ?(?:ms|s|min|h|B|kB)\b|127\.0\.0\.1:\d+|\/tmp\/\S+|\b[0-9a-f]{4,}\b|\b\d{7,}\b|[\w+/=-]{24,}/gi;

/**
 * Brings one state about and takes its pictures.
 * @param isWanted - tells for each shot of the state whether it is taken
 * @returns for each picture its view, part, state, look and file name, what is wrong there (axe, beyond the window, not
 * reached), and the boxes of the words that are others in every run
 */
export async function takePictures({ app, state, folder, isWanted }) {
  const chosen = shots.filter((shot) => shot.state === state.id && isWanted(shot));
  // What leaves no trace is not brought about for nothing.
  if (chosen.length === 0 && state.end !== undefined) return [];
  const session = await app.page.context().newCDPSession(app.page);
  const setMetrics = (metrics) =>
    session.send('Emulation.setDeviceMetricsOverride', { ...metrics, mobile: false });
  const pictures = [];
  await state.prepare(app);
  for (const shot of chosen) {
    const fault = await showShot(app, shot);
    for (const look of looks) {
      await setMetrics(look.metrics);
      await app.page.emulateMedia(look.media);
      await waitUntilDrawn(app.page);
      const { data } = await session.send('Page.captureScreenshot', { optimizeForSpeed: true });
      const file = `${nameShot(shot)}-${look.id}.png`;
      writeFileSync(join(folder, file), Buffer.from(data, 'base64'));
      const faults = await findFaults(app.page, look.rules);
      if (fault !== null && look === looks[0]) faults.unshift(fault);
      report(file, faults);
      pictures.push({
        view: shot.view,
        part: shot.part ?? '',
        state: shot.state,
        look: look.id,
        file,
        faults,
        volatile: await findVolatile(app.page, look.metrics.deviceScaleFactor),
      });
    }
    await app.page.emulateMedia(light);
    await setMetrics(wide);
    await shot.leave?.(app);
  }
  await state.end?.(app);
  await session.detach();
  return pictures;
}

/** What the pictures of a shot begin with. */
export const nameShot = ({ view, part, state }) => [view, part, state].filter(Boolean).join('-');

function report(file, faults) {
  for (const fault of faults) console.error(`${file}: ${fault}`);
  if (faults.length > 0) process.exitCode = 1;
}

/** Why the view is not as it should be in the picture; null: it is. */
async function showShot(app, shot) {
  try {
    await shot.show(app);
    await app.page.evaluate(() => document.fonts.ready.then(() => undefined));
    return null;
  } catch (error) {
    return `not as it should be: ${String(error.message).split('\n')[0]}`;
  }
}

async function findFaults(page, rules) {
  const violations = rules?.length === 0 ? [] : await findViolations(page, rules ?? undefined);
  return [...violations, ...(await findOverflow(page)), ...(await findCutControls(page))];
}

/** What a line stands in: what follows a word that is wider in one run than in the other moves as far as the edge of this. */
const holders =
  'td, th, dt, dd, li, p, header, footer, summary, figcaption, button, [role="gridcell"], [role="option"], [role="group"]';
/** Drawn after times and amounts: charts, small lines, bars of a share. */
const drawn = 'time, canvas, svg[role="img"], [style*="%"]:empty';

/** The boxes, in the picture's own dots, of the lines with words that are others in every run, and of what is drawn. */
function findVolatile(page, scale) {
  return page.evaluate(
    ([source, by, holder, shapes]) => {
      const boxes = [...document.querySelectorAll(shapes)].map((one) => one.getBoundingClientRect());
      const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      while (texts.nextNode()) {
        const { data, parentElement } = texts.currentNode;
        for (const { index, 0: word } of data.matchAll(new RegExp(source, 'gi'))) {
          const range = document.createRange();
          range.setStart(texts.currentNode, index);
          range.setEnd(texts.currentNode, index + word.length);
          const line = (parentElement.closest(holder) ?? parentElement).getBoundingClientRect();
          for (const { y, height, left, right } of range.getClientRects()) {
            const [from, to] = [Math.min(left, line.left), Math.max(right, line.right)];
            boxes.push(new DOMRect(from, y, to - from, height));
          }
        }
      }
      return boxes
        .filter(({ width, right, bottom, left, top }) => {
          const isInWindow = right > 0 && bottom > 0 && left < innerWidth && top < innerHeight;
          return width > 0 && isInWindow;
        })
        .map(({ x, y, width, height }) =>
          [x - 2, y - 2, width + 4, height + 4].map((n) => Math.round(n * by)),
        );
    },
    [volatile.source, scale, holders, drawn],
  );
}

/** Two frames: one lays out, in the other what follows from it (an editor, a list) is drawn. */
function waitUntilDrawn(page) {
  return page.evaluate(
    () =>
      new Promise((resolve) => {
        requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve, 20)));
      }),
  );
}
