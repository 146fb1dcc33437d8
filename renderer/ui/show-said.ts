import { cutDrawn } from './foreign-text';
import styles from './show-said.module.css';
import tones from './tone.module.css';

const saidForMs = 2000;
/** A screen reader tells of what changes in a part of the page that it knows, and not of one that comes with its text. */
const knownAfterMs = 50;

let part: HTMLElement | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;

function makePart(): HTMLElement {
  const made = document.createElement('div');
  made.setAttribute('role', 'status');
  // Read, and worked with, beside a dialog, too: what is outside of one is hidden.
  made.dataset['reactAriaTopLayer'] = 'true';
  document.body.append(made);
  return made;
}

/** Shows a sentence for a moment, over whatever is on show; the one before goes. */
export function showSaid(text: string, isSeen = true): void {
  part ??= makePart();
  const shown = part;
  shown.textContent = '';
  clearTimeout(timer);
  timer = setTimeout(() => {
    shown.className = (isSeen ? styles.said : tones.unseen)!;
    shown.textContent = cutDrawn(text);
    timer = setTimeout(() => (shown.textContent = ''), saidForMs);
  }, knownAfterMs);
}
