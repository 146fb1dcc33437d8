import { afterReconnect, call, subscribe } from '../transport/client';
import { useSettings } from './settings-store';

/** Has the window show what another one, or a command, sets; its own layout stays. @returns ends it */
export function followSettings(): () => void {
  const read = async (): Promise<void> => {
    try {
      const { layout: _another, ...settings } = await call('settings.get');
      useSettings.setState((state) => ({ settings: { ...state.settings, ...settings }, error: null }));
    } catch {
      // What is known stands until the back end is heard again.
    }
  };
  const stops = [
    subscribe('settings.changed', ({ names }) => {
      if (names.some((name) => name !== 'layout')) void read();
    }),
    afterReconnect(() => void read()),
  ];
  return () => stops.forEach((stop) => stop());
}
