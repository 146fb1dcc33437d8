import type { HTMLAttributes } from 'react';
import { showControls } from '@shared/show-controls';

/**
 * Text that came from elsewhere: a reference, a name, an address. It turns nothing beside it round (isolated), and marks
 * of direction in it are shown as marks (`[RLO]`): neither it nor what stands next to it reads backwards. It begins at the left
 * and is cut at the right, as all else of its list, whatever script it begins with.
 */
export function ForeignText({
  text,
  ...attributes
}: { text: string } & Omit<HTMLAttributes<HTMLElement>, 'children'>) {
  return (
    // eslint-disable-next-line no-restricted-syntax -- the one place
    <bdi dir="ltr" {...attributes}>
      {showControls(text)}
    </bdi>
  );
}
