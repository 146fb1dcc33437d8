import { create } from 'zustand';
import { call } from '../transport/client';
import { replaceRoute, useRoute } from '../session/routes';
import { loadSettings, updateSettings, useSettings } from '../session/settings-store';

/** The version whose news nobody has looked at yet; null: none. Told once, in the first session after an update. */
export const useNews = create<{ version: string | null }>(() => ({ version: null }));

/** Reads the settings; at the very first start the welcome is shown, after an update a word that there is news. */
export async function loadAndGreet(): Promise<void> {
  await loadSettings();
  const { settings, error } = useSettings.getState();
  if (error !== null) return;
  const { seenVersion, layout } = settings;
  // Whoever has arranged panes or opened tabs is no newcomer.
  const isFirst = seenVersion === '' && Object.keys(layout).length === 0;
  if (isFirst && /^#?\/?$/.test(location.hash)) {
    useRoute.setState({ view: 'help', rest: 'welcome' });
    replaceRoute('help', 'welcome');
  }
  try {
    const { version } = await call('app.status');
    if (version === seenVersion) return;
    if (!isFirst) useNews.setState({ version });
    await updateSettings({ seenVersion: version });
  } catch {
    // Told again at the next start.
  }
}
