import { createContext, useContext } from 'react';

/** What is looked for in the settings: words, all of which a line has to have. */
export const SettingsSearch = createContext<readonly string[]>([]);
/** A section whose title is what is looked for shows all of its lines. */
export const SectionTitle = createContext('');

export const toWords = (text: string): string[] => text.toLowerCase().split(/\s+/).filter(Boolean);

/** Tells whether a line is among what is looked for, by its own texts and the title of its section. */
export function useIsFound(...texts: readonly string[]): boolean {
  const title = useContext(SectionTitle);
  const text = [title, ...texts].join(' ').toLowerCase();
  return useContext(SettingsSearch).every((word) => text.includes(word));
}
