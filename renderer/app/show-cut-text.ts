/** Marks the titles that stand there because of this file. */
const mark = 'data-cut';
/** So far up from what the pointer is on, the text that is cut is looked for. */
const mostLevels = 4;

const isCut = (element: HTMLElement): boolean => {
  const { textOverflow, webkitLineClamp } = getComputedStyle(element);
  if (textOverflow === 'ellipsis' && element.scrollWidth > element.clientWidth) return true;
  return /^\d+$/.test(webkitLineClamp) && element.scrollHeight > element.clientHeight;
};

function showWhole({ target }: Event): void {
  let element = target instanceof HTMLElement ? target : null;
  for (let level = 0; element !== null && level < mostLevels; level += 1, element = element.parentElement) {
    // What copies on click says itself what it copies.
    if ('copies' in element.dataset || (element.title !== '' && !element.hasAttribute(mark))) return;
    if (isCut(element)) {
      element.title = element.innerText;
      element.setAttribute(mark, '');
      return;
    }
    if (element.hasAttribute(mark)) {
      element.removeAttribute('title');
      element.removeAttribute(mark);
    }
  }
}

/** Whatever an ellipsis cuts, anywhere, shows its whole text under the pointer. */
export function showCutText(): void {
  document.addEventListener('pointerover', showWhole, { passive: true });
}
