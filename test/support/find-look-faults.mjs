/* global document, DOMRect, getComputedStyle, innerHeight, innerWidth, requestAnimationFrame, window */
import axe from 'axe-core';

/** Rules whose outcome hangs on the theme, and those that hang on the size, too; the others are asked once a view. */
export const themeRules = ['color-contrast'];
export const visualRules = [...themeRules, 'scrollable-region-focusable', 'target-size'];

/**
 * React Aria's announcer names what it reads out by the id of an element that may be gone by then, as that of a list that
 * has closed; each goes after 7 seconds. Nobody sees it, and nothing here can name it otherwise: this rule does not look there.
 */
const announcer = { rule: 'role-img-alt', container: '[data-live-announcer]' };

/**
 * Rules about a page as a whole. axe lets them be while a dialog hides everything behind it, but right after it came, on a
 * busy machine, it does not always see that one is open.
 */
const ofWholePages = ['landmark-one-main', 'page-has-heading-one'];

/**
 * axe as it is, but for two ways in which it takes half of its time: its colours keep each of their parts in a WeakMap, which
 * the collector goes through again and again, and are read anew from the same few texts for every element.
 */
const quickAxe = `(() => {
  class Parts {
    key = Symbol();
    has(one) { return this.key in one; }
    get(one) { return one[this.key]; }
    set(one, value) { one[this.key] = value; return this; }
    add(one) { return this.set(one, true); }
    delete(one) { return delete one[this.key]; }
  }
  let [WeakMap, WeakSet] = [Parts, Parts];
  ${axe.source};
  // Those that a run makes hold nodes of the page, which outlast it.
  [WeakMap, WeakSet] = [window.WeakMap, window.WeakSet];
  const { prototype } = window.axe.commons.color.Color;
  const read = prototype.parseString;
  const known = new Map();
  prototype.parseString = function (text) {
    if (!known.has(text)) {
      const { r, g, b, alpha } = read.call(this, text);
      known.set(text, { r, g, b, alpha });
    }
    return Object.assign(this, known.get(text));
  };
})()`;

/**
 * What axe finds, in lines that a person can act on. `rules` names those that are asked; all of them without it.
 *
 * Not through `@axe-core/playwright`: it sends half a megabyte into the page and takes every element back, each time.
 */
export async function findViolations(page, rules) {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(quickAxe);
  return page.evaluate(
    async ([names, { rule, container }, ofWholePages]) => {
      const { violations } = await window.axe.run(document, {
        resultTypes: ['violations'],
        ...(names ? { runOnly: [...names] } : { rules: { 'target-size': { enabled: true } } }),
      });
      const isModal = document.querySelector('[role="dialog"], [role="alertdialog"]') !== null;
      const counted = violations.filter(({ id }) => !isModal || !ofWholePages.includes(id));
      return counted.flatMap(({ id, nodes }) =>
        nodes
          .filter(({ target }) => {
            const element = document.querySelector(String(target[0]));
            // What has gone meanwhile is told of as if it were the document.
            return id !== rule || (element !== document.documentElement && !element?.closest(container));
          })
          .map(
            ({ target, failureSummary }) =>
              `${id}: ${target.join(' ')} ${failureSummary?.split('\n')[1] ?? ''}`,
          ),
      );
    },
    [rules, announcer, ofWholePages],
  );
}

/**
 * Asks the page once it has drawn itself, and again while something is found: after a change of the window's size, it takes
 * a busy machine some frames until all has its new place. A window that another covers draws none.
 */
async function findOnceLaidOut(page, find) {
  const end = Date.now() + 3000;
  await page.evaluate(
    () =>
      new Promise((resolve) => {
        setTimeout(resolve, 500);
        requestAnimationFrame(() => requestAnimationFrame(resolve));
      }),
  );
  let found = await page.evaluate(find);
  while (found.length > 0 && Date.now() < end) {
    await page.waitForTimeout(50);
    found = await page.evaluate(find);
  }
  return found;
}

/** Nothing may stand beyond the edges of the window: the page itself never scrolls. Says what stands there, too. */
export function findOverflow(page) {
  return findOnceLaidOut(page, () => {
    const { scrollWidth, clientWidth, scrollHeight, clientHeight } = document.documentElement;
    const describe = (edge, limit) => {
      const beyond = [...document.querySelectorAll('body *')].filter(
        (one) => one.getBoundingClientRect()[edge] > limit + 0.5,
      );
      const deepest = beyond.at(-1);
      return deepest ? `: ${deepest.tagName.toLowerCase()}.${[...deepest.classList].join('.')}` : '';
    };
    return [
      ...(scrollWidth > clientWidth
        ? [`page is ${scrollWidth} wide in ${clientWidth}${describe('right', clientWidth)}`]
        : []),
      ...(scrollHeight > clientHeight
        ? [`page is ${scrollHeight} high in ${clientHeight}${describe('bottom', clientHeight)}`]
        : []),
    ];
  });
}

/**
 * What can be pressed or filled in, and stands partly where nothing scrolls to it: a part of it is cut at an edge. In lines.
 *
 * Where a text is cut, the pointer shows it whole; a button is simply not there.
 */
export function findCutControls(page) {
  return findOnceLaidOut(page, () => {
    const controls = 'button, a[href], input:not([type="file"]), textarea, [role="tab"], [role="radio"]';
    // Room around a control, to make it a target, may be cut.
    const slack = 4;
    const scrolls = (value) => value === 'auto' || value === 'scroll';
    // Rows and text are as wide as they are; a pane that is scrolled down is not to be scrolled sideways, too.
    const rows = 'table, pre, textarea, [role="grid"], [role="treegrid"]';
    const isPane = (one) => scrolls(getComputedStyle(one).overflowY) && one.clientHeight > 200;
    const findEdge = (element) => {
      let { left, right, top, bottom } = element.getBoundingClientRect();
      let isFreeX = false;
      for (let one = element.parentElement; one !== null; one = one.parentElement) {
        const { overflowX, overflowY, position, textOverflow } = getComputedStyle(one);
        // What a dialog stands in covers the window: beyond its edges there is nothing to scroll to but in the dialog.
        const isFixed = position === 'fixed';
        const edge = isFixed ? new DOMRect(0, 0, innerWidth, innerHeight) : one.getBoundingClientRect();
        // A pane that is folded away has nothing to be seen.
        if (edge.width < 16) return null;
        // What an ellipsis cuts can be pressed where it is seen, and is shown whole at the pointer.
        isFreeX ||= textOverflow === 'ellipsis';
        // What is scrolled to comes as far as the edges of what scrolls: from there on, these count.
        const isFree = scrolls(overflowX) && (element.closest(rows) !== null || !isPane(one));
        if (isFree) ({ left, right } = edge);
        if (scrolls(overflowY)) ({ top, bottom } = edge);
        const isCutX =
          (isFixed || overflowX !== 'visible') && (right > edge.right + slack || left < edge.left - slack);
        const isCutY =
          (isFixed || overflowY !== 'visible') && (bottom > edge.bottom + slack || top < edge.top - slack);
        if ((isCutX && !isFreeX) || isCutY) return one;
        if (isFixed) return null;
      }
      return null;
    };
    return [...document.querySelectorAll(controls)].flatMap((element) => {
      const { width, height } = element.getBoundingClientRect();
      const isShown = element.checkVisibility({ visibilityProperty: true }) && width > 2 && height > 2;
      if (!isShown || element.closest('[inert], [aria-hidden="true"], .monaco-editor')) return [];
      const edge = findEdge(element);
      const name = (element.ariaLabel ?? element.textContent ?? element.tagName).trim().slice(0, 40);
      return edge === null
        ? []
        : [`“${name}” (${element.tagName.toLowerCase()}) is cut by ${edge.className || edge.tagName}`];
    });
  });
}
