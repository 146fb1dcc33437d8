import { afterReconnect, call, subscribe } from '../transport/client';
import { useSettings } from './settings-store';

/** Reads the settings anew; the window's own layout stays. */
export async function readSettings(): Promise<void> {
  try {
    const { layout: _another, ...settings } = await call('settings.get');
    useSettings.setState((state) => ({ settings: { ...state.settings, ...settings }, error: null }));
  } catch {
    // What is known stands until the back end is heard again.
  }
}

/** Has the window show what another one sets. @returns ends it */
export function followSettings(): () => void {
  const stops = [
    subscribe('settings.changed', ({ names }) => {
      if (names.some((name) => name !== 'layout')) void readSettings();
    }),
    afterReconnect(() => void readSettings()),
  ];
  return () => stops.forEach((stop) => stop());
}
