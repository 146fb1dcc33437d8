import { useEffect, type RefObject } from 'react';
import { readKey } from './keys';

const takesText =
  'input, textarea, select, [contenteditable], [role=dialog], [role=alertdialog], [role=menu]';

/** `/` goes to the search field that is on show, from wherever no text is written. */
export function useSearchKey(input: RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    const goThere = (event: KeyboardEvent): void => {
      const isTyping = event.target instanceof Element && event.target.closest(takesText) !== null;
      if (readKey(event) !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping) return;
      const field = input.current;
      if (event.defaultPrevented || field?.offsetParent === null || !field) return;
      event.preventDefault();
      field.focus();
      field.select();
    };
    window.addEventListener('keydown', goThere);
    return () => window.removeEventListener('keydown', goThere);
  }, [input]);
}
