import type { MenuAction } from './menu';
import { copyAndSay } from './say';

/** An entry of a menu that copies a text; null: there is none to copy. */
export const copyAction = (id: string, label: string, text: string | null): MenuAction => ({
  id,
  label,
  obstacle: text === null && 'It has none',
  onAction: () => void copyAndSay(text ?? ''),
});
