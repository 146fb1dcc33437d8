import { useRef, type KeyboardEvent, type RefObject } from 'react';

/**
 * Enter in the field of an `Autocomplete` takes the first row where none is chosen: after a paste or a correction the library chooses
 * none, nor where rows come after the letters that ask for them, and the key would do nothing.
 *
 * @param take - null where nothing stands there to be taken
 * @returns `list` for the rows, `onKeyDownCapture` for the field, `mark` for the rows' style: `data-takes-first` while Enter means the first
 */
export function useFirstOnEnter(take: (() => void) | null): {
  list: RefObject<HTMLDivElement | null>;
  onKeyDownCapture(event: KeyboardEvent): void;
  mark: { 'data-takes-first'?: true };
} {
  const list = useRef<HTMLDivElement>(null);
  const onKeyDownCapture = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing || take === null) return;
    if (list.current?.querySelector('[data-focused]')) return;
    event.preventDefault();
    event.stopPropagation();
    take();
  };
  return { list, onKeyDownCapture, mark: take === null ? {} : { 'data-takes-first': true } };
}
