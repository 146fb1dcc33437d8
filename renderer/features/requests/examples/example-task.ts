import { create } from 'zustand';

/** The tab whose answer is to be kept. */
export const useExampleTask = create<{ tabId: string | null }>(() => ({ tabId: null }));

export function askForExample(tabId: string | null): void {
  useExampleTask.setState({ tabId });
}
