import '@fontsource-variable/inter/wght.css';
import '@fontsource-variable/jetbrains-mono/wght.css';
import './ui/tokens.css';
import './ui/base.css';
import { StrictMode } from 'react';
import { I18nProvider } from 'react-aria-components/I18nProvider';
import { createRoot } from 'react-dom/client';
import { App } from './app/app';
import { loadAndGreet } from './app/greet';
import { loadView } from './app/load-views';
import { startNativeMenu } from './app/native-menu';
import { startLate } from './app/start-late';
import { startShortcuts } from './app/shortcuts';
import { startTheme } from './app/theme';
import { startAppStatus } from './session/app-status';
import { followTunnel } from './session/tunnel';
import { startLinks } from './session/asked-link';
import { keepTypingWhile } from './session/hold-typing';
import { startRoutes, useRoute } from './session/routes';
import { flushLayout, readLayout, writeLayout } from './session/settings-store';
import { startKeepingPresses } from './ui/keep-press';
import { isPartAwaited } from './ui/later';
import { startRemembering } from './ui/remembered';

startTheme();
startRemembering({ read: readLayout, write: writeLayout });
startRoutes();
startShortcuts();
startKeepingPresses();
keepTypingWhile(isPartAwaited);
startAppStatus();
followTunnel();
startLate();
window.addEventListener('pagehide', flushLayout);
startNativeMenu();
void loadAndGreet().then(startLinks);
// Beside the settings, not after them; where it cannot be loaded, the view itself says so.
void loadView(useRoute.getState().view).catch(() => undefined);

const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <StrictMode>
      {/* The words are English whatever the system speaks: where it is Arabic, menus and arrow keys went the other way. */}
      <I18nProvider locale="en-US">
        <App />
      </I18nProvider>
    </StrictMode>,
  );
}
