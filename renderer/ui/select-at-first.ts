import { useRef, type FocusEvent } from 'react';

/**
 * Selects what stands in a field of a dialog when the dialog opens, to be typed over.
 *
 * Once alone: the window may get the focus anew between two letters, and the second would take the first one's place.
 * @returns what the field does when it gets the focus
 */
export function useSelectAtFirst(): (event: FocusEvent<HTMLInputElement | HTMLTextAreaElement>) => void {
  const isDone = useRef(false);
  return ({ target }) => {
    if (!isDone.current) target.select();
    isDone.current = true;
  };
}
