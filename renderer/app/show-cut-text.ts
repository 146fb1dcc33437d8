import { showControls } from '@shared/show-controls';

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

/** Gives a title as it is drawn: its controls as marks, but for a piece that is isolated and turns nothing around it. */
export const showTitle = (title: string): string =>
  title
    .split(/(\u2066[^\u202a-\u202e\u2066-\u2069]*\u2069)/)
    .map((piece, at) => (at % 2 === 1 ? piece : showControls(piece)))
    .join('');

/** The system draws a title, marks of direction and all: one in a name would turn the rest of the title around. */
function markControls({ target }: Event): void {
  const titled = target instanceof Element ? target.closest('[title]') : null;
  const title = titled?.getAttribute('title') ?? '';
  const shown = showTitle(title);
  if (shown !== title) titled?.setAttribute('title', shown);
}

/** Whatever an ellipsis cuts, anywhere, shows its whole text under the pointer. */
export function showCutText(): void {
  document.addEventListener('pointerover', markControls, { passive: true });
  document.addEventListener('pointerover', showWhole, { passive: true });
}
