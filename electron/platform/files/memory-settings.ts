import type { SettingsStore } from '../ports';

/** Settings of a run that keeps nothing. */
export function createMemorySettings(): SettingsStore {
  const kept = new Map<string, unknown>();
  return { get: (key) => kept.get(key), set: (key, value) => void kept.set(key, value) };
}
