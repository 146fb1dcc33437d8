import { create } from 'zustand';

/** Whether the search is asked for, and what was looked for last. */
export const useSearch = create<{ isOpen: boolean; text: string }>(() => ({ isOpen: false, text: '' }));

export function openSearch(): void {
  useSearch.setState({ isOpen: true });
}

export function closeSearch(): void {
  useSearch.setState({ isOpen: false });
}
