import type { Settings } from '@shared/contract/app';
import { useSettings } from '../session/settings-store';

const storageKey = 'countersign.theme';
const darkQuery = '(prefers-color-scheme: dark)';

/**
 * Keeps `data-theme` on the document in step with the setting and with the system.
 *
 * The last theme is also kept in the browser, so that the window does not flash before the settings have come.
 */
export function startTheme(): void {
  const media = window.matchMedia(darkQuery);
  const apply = (): void => {
    const { settings, isLoaded } = useSettings.getState();
    const theme = isLoaded ? settings.theme : readLastTheme();
    if (isLoaded) localStorage.setItem(storageKey, theme);
    const isDark = theme === 'dark' || (theme === 'system' && media.matches);
    const shown = isDark ? 'dark' : 'light';
    const { dataset } = document.documentElement;
    // Settings change for other reasons, too; whoever watches the attribute is told of each writing, and draws anew.
    if (dataset['theme'] !== shown) dataset['theme'] = shown;
  };
  apply();
  media.addEventListener('change', apply);
  useSettings.subscribe(apply);
}

function readLastTheme(): Settings['theme'] {
  const last = localStorage.getItem(storageKey);
  return last === 'light' || last === 'dark' ? last : 'system';
}
