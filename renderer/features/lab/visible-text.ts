import { describeHidden } from '@shared/hidden-characters';

export interface VisiblePart {
  text: string;
  /** Name of a character that would not be seen; null for text that shows itself. */
  name: string | null;
}

/** Cuts text so that each character that would not be seen stands alone, with a symbol and its name. */
export function showInvisibles(text: string): VisiblePart[] {
  const parts: VisiblePart[] = [];
  for (const character of text) {
    const hidden = describeHidden(character.codePointAt(0)!);
    const last = parts.at(-1);
    if (hidden) parts.push({ text: hidden.mark, name: hidden.name });
    else if (last && last.name === null) last.text += character;
    else parts.push({ text: character, name: null });
  }
  return parts;
}
