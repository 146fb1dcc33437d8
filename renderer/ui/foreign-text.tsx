import type { HTMLAttributes } from 'react';
import { showControls } from '@shared/show-controls';

/**
 * Text that came from elsewhere: a reference, a name, an address. It turns nothing beside it round (isolated), and marks
 * of direction in it are shown as marks (`[RLO]`): neither it nor what stands next to it reads backwards. It stands at the left, as
 * all else of its list, whatever script it begins with; where it is too long, its end is cut: at the right, and at the left where
 * all its letters are of a script that is read from there.
 */
export function ForeignText({
  text,
  ...attributes
}: { text: string } & Omit<HTMLAttributes<HTMLElement>, 'children'>) {
  const shown = showControls(text);
  return (
    // eslint-disable-next-line no-restricted-syntax -- the one place
    <bdi dir={isReadFromRight(shown) ? 'rtl' : 'ltr'} {...attributes}>
      {shown}
    </bdi>
  );
}

const fromRight = String.raw`\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}`;
const letterFromRight = new RegExp(`(?=[${fromRight}])\\p{L}`, 'u');
const letterFromLeft = new RegExp(`(?![${fromRight}])\\p{L}`, 'u');

/** Whether all letters of a text are read from the right: then so are its digits and signs, whatever it is told. */
function isReadFromRight(text: string): boolean {
  return letterFromRight.test(text) && !letterFromLeft.test(text);
}
