import type { HTMLAttributes, ReactNode } from 'react';
import { cutMasked } from '@shared/cut-masked';
import { showControls } from '@shared/show-controls';
import { LONGEST_TURNING, turnsTooOften } from '@shared/turning-text';

/** Longer ones are drawn cut: a line of a megabyte holds the window up for half a second. */
export const LONGEST_DRAWN = 20_000;

/** Cuts a text that was masked before, where it had to be, for being drawn on one line. */
export const cutDrawn = (text: string): string =>
  cutMasked(
    text,
    (whole) => whole,
    turnsTooOften(text.slice(0, LONGEST_DRAWN)) ? LONGEST_TURNING : LONGEST_DRAWN,
  );

/**
 * Text that came from elsewhere: a reference, a name, an address. It turns nothing beside it round (isolated), and marks
 * of direction in it are shown as marks (`[RLO]`): neither it nor what stands next to it reads backwards. It stands at the left, as
 * all else of its list, whatever script it begins with; where it is too long, its end is cut: at the right, and at the left where
 * all its letters are of a script that is read from there. Of a very long one the beginning is drawn.
 *
 * @param hasCode - it is a sentence of ours with foreign words in it: what stands between back-ticks is drawn as code
 */
export function ForeignText({
  text,
  hasCode = false,
  ...attributes
}: { text: string; hasCode?: boolean } & Omit<HTMLAttributes<HTMLElement>, 'children'>) {
  const shown = showControls(cutDrawn(text));
  return (
    // eslint-disable-next-line no-restricted-syntax -- the one place
    <bdi dir={isReadFromRight(shown) ? 'rtl' : 'ltr'} {...attributes}>
      {hasCode ? drawCode(shown) : shown}
    </bdi>
  );
}

/** Every second piece stood between back-ticks. */
function drawCode(text: string): ReactNode[] {
  return text.split(/`([^`\n]+)`/).map((piece, at) => (at % 2 === 1 ? <code key={at}>{piece}</code> : piece));
}

const fromRight = String.raw`\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}`;
const letterFromRight = new RegExp(`(?=[${fromRight}])\\p{L}`, 'u');
const letterFromLeft = new RegExp(`(?![${fromRight}])\\p{L}`, 'u');

/** Whether all letters of a text are read from the right: then so are its digits and signs, whatever it is told. */
function isReadFromRight(text: string): boolean {
  return letterFromRight.test(text) && !letterFromLeft.test(text);
}
