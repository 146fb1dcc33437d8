import type { ClipboardEvent, KeyboardEvent } from 'react';
import { showControls } from '@shared/show-controls';
import { cutDrawn } from './foreign-text';
import { isTooLongForField } from './refuse-long-paste';

/**
 * Gives a field its text, for a spread behind its other props: of one that takes too long to lay out (it came from a file)
 * the beginning is drawn, to be read. Copied it is whole, and it can be emptied.
 *
 * @param onChange - null: the field is only to be read
 */
export function fitField(text: string, onChange: ((text: string) => void) | null, isOneLine = true) {
  if (!isTooLongForField(text, isOneLine)) return { value: text };
  return {
    value: showControls(cutDrawn(text)),
    readOnly: true,
    title: `Too long to be ${onChange ? 'edited' : 'shown'} here. Copied, it is whole${onChange ? '; Delete empties it' : ''}.`,
    onCopy: (event: ClipboardEvent) => {
      event.preventDefault();
      event.clipboardData.setData('text/plain', text);
    },
    onKeyDown: (event: KeyboardEvent) => {
      if (!onChange || (event.key !== 'Delete' && event.key !== 'Backspace')) return;
      event.preventDefault();
      onChange('');
    },
  };
}
