import { useEffect, useRef, type InputHTMLAttributes } from 'react';
import type { Completion } from '@shared/body/complete-variable';
import { OfferList } from './code-editor/offer-list';
import { fitField } from './fit-field';
import { refuseAtField } from './refuse-long-paste';

interface AssistInputProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange' | 'value'> {
  label: string;
  value: string;
  onChange: (value: string) => void;
  /** What may stand at an offset of the value; asked for as one types, and by Ctrl+Space or the arrow down. */
  complete: (text: string, offset: number, isAsked: boolean) => Promise<readonly Completion[]>;
}

/** One line of text that offers what may stand in it. */
export function AssistInput({ label, value, onChange, complete, ...others }: AssistInputProps) {
  const inputRef = useRef<HTMLInputElement>(null);
  const listRef = useRef<OfferList | null>(null);
  const latest = useRef({ onChange, complete });
  useEffect(() => {
    latest.current = { onChange, complete };
  });
  useEffect(() => {
    const list = new OfferList(
      () => inputRef.current,
      () => inputRef.current!.value,
      (offer) => {
        const { value: text } = inputRef.current!;
        list.close();
        list.element.remove();
        latest.current.onChange(text.slice(0, offer.start) + offer.text + text.slice(offer.end));
        const caret = offer.start + offer.caret;
        requestAnimationFrame(() => inputRef.current?.setSelectionRange(caret, caret));
      },
    );
    listRef.current = list;
    return () => list.element.remove();
  }, []);
  const offer = async (isAsked: boolean): Promise<void> => {
    const input = inputRef.current!;
    const text = input.value;
    if (input.readOnly) return;
    const offers = await latest.current.complete(text, input.selectionStart ?? text.length, isAsked);
    if (document.activeElement === input && input.value === text) showUnder(listRef.current!, input, offers);
  };
  const close = (): void => {
    listRef.current?.close();
    listRef.current?.element.remove();
  };
  const fitted = fitField(value, onChange);
  return (
    <input
      {...others}
      {...fitted}
      ref={inputRef}
      role="combobox"
      aria-label={label}
      aria-expanded={false}
      aria-autocomplete="list"
      spellCheck={false}
      autoComplete="off"
      onPaste={(event) => {
        others.onPaste?.(event);
        if (!event.defaultPrevented) refuseAtField(event);
      }}
      onChange={(event) => {
        onChange(event.target.value);
        void offer(false);
      }}
      onBlur={close}
      onKeyDown={(event) => {
        fitted.onKeyDown?.(event);
        if (event.defaultPrevented) return;
        const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
        const list = listRef.current!;
        const isTaken = list.press(key, ctrlKey || metaKey || altKey || shiftKey);
        if (!list.isOpen) close();
        if (isTaken) {
          event.preventDefault();
          event.stopPropagation();
        } else if (key === 'ArrowDown' || (key === ' ' && (ctrlKey || metaKey))) {
          event.preventDefault();
          void offer(true);
        } else others.onKeyDown?.(event);
      }}
    />
  );
}

/** Under the field, or above it where there is no room; beside everything else, so that nothing cuts it off. */
function showUnder(list: OfferList, input: HTMLElement, offers: readonly Completion[]): void {
  list.show(offers);
  input.ariaExpanded = String(offers.length > 0);
  if (offers.length === 0) {
    list.element.remove();
    return;
  }
  (input.closest('main') ?? document.body).append(list.element);
  const box = input.getBoundingClientRect();
  const { offsetHeight, offsetWidth } = list.element;
  const isBelow = box.bottom + offsetHeight + 4 <= window.innerHeight;
  list.element.style.position = 'fixed';
  list.element.style.left = `${Math.max(4, Math.min(box.left, window.innerWidth - offsetWidth - 4))}px`;
  list.element.style.top = `${isBelow ? box.bottom + 2 : Math.max(4, box.top - offsetHeight - 2)}px`;
}
