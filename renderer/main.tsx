import '@fontsource-variable/inter/wght.css';
import '@fontsource-variable/jetbrains-mono/wght.css';
import './ui/tokens.css';
import './ui/base.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app';
import { startShortcuts } from './app/shortcuts';
import { startTheme } from './app/theme';
import { startAppStatus } from './session/app-status';
import { startRoutes } from './session/routes';
import { flushLayout, loadSettings, readLayout, writeLayout } from './session/settings-store';
import { startRemembering } from './ui/remembered';

startTheme();
startRemembering({ read: readLayout, write: writeLayout });
startRoutes();
startShortcuts();
startAppStatus();
window.addEventListener('pagehide', flushLayout);

// Pane sizes are read once, when a pane is first drawn: the settings come before the first view.
await loadSettings();

const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}
