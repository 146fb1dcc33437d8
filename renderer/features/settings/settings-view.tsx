import { useEffect, type ReactNode } from 'react';
import { useAppStatus } from '../../session/app-status';
import { replaceRoute, useRoute } from '../../session/routes';
import { settingNames } from '../../session/setting-names';
import { useSettings } from '../../session/settings-store';
import { Choice } from '../../ui/choice';
import { CopyText } from '../../ui/copy-text';
import { ErrorLine } from '../../ui/error-line';
import { Environments } from './environments';
import { NumberSetting } from './number-setting';
import { Line, Section } from './section';
import { Shortcuts } from './shortcuts';
import { useSettingsStore } from './settings-store';
import styles from './settings.module.css';

const themes = [
  { id: 'system', label: 'As the system' },
  { id: 'light', label: 'Light' },
  { id: 'dark', label: 'Dark' },
] as const;

/** What can be set, where things lie, which keys do what. */
export function SettingsView() {
  const start = useSettingsStore((state) => state.start);
  const change = useSettingsStore((state) => state.change);
  const error = useSettingsStore((state) => state.error);
  const settings = useSettings((state) => state.settings);
  useEffect(() => start(), [start]);
  useSettingFromRoute();
  return (
    <div className={styles.view} data-pane="settings" tabIndex={-1}>
      <div className={styles.page}>
        {error ? <ErrorLine error={error} /> : null}
        {settings.notice ? <ErrorLine tone="warn" error={{ message: settings.notice }} /> : null}
        <Section title="Look">
          <Line label={settingNames.theme} setting="theme">
            <Choice
              label={settingNames.theme}
              options={themes}
              selected={settings.theme}
              onSelect={(theme) => void change({ theme })}
            />
          </Line>
        </Section>
        <Section title="Safety and sending">
          <NumberSetting
            setting="autoLockMinutes"
            unit="minutes without use"
            help="0: never. Locked keys sign nothing until the vault is unlocked."
            value={settings.autoLockMinutes}
            least={0}
            most={1440}
            onChange={(autoLockMinutes) => change({ autoLockMinutes })}
          />
          <NumberSetting
            setting="requestTimeoutMs"
            unit="milliseconds"
            help="From the first byte sent to the last byte received."
            value={settings.requestTimeoutMs}
            least={100}
            most={600_000}
            onChange={(requestTimeoutMs) => change({ requestTimeoutMs })}
          />
        </Section>
        <Environments />
        <About />
        <Shortcuts />
      </div>
    </div>
  );
}

/** `#/settings/set/<setting>` goes to its control. */
function useSettingFromRoute(): void {
  const setting = useRoute(({ view, rest }) =>
    view === 'settings' ? /^set\/(\w+)$/.exec(rest)?.[1] : undefined,
  );
  useEffect(() => {
    if (setting === undefined) return;
    const line = document.querySelector(`[data-setting="${setting}"]`);
    line?.scrollIntoView({ block: 'center' });
    line?.querySelector<HTMLElement>('[aria-checked="true"], input')?.focus();
    replaceRoute('settings');
  }, [setting]);
}

const hostNames = { electron: 'Electron', web: 'Browser window', cli: 'AppCommand line' } as const;

function About() {
  const status = useAppStatus((state) => state.status);
  if (!status) return null;
  return (
    <Section title="This installation">
      <Line label="Data directory">
        <CopyText text={status.dataDirectory} label="data directory" />
      </Line>
      <Line label="Version">
        <CopyText text={status.version} label="version" />
      </Line>
      <Line label="Host">{`${hostNames[status.host]} on ${status.platform}`}</Line>
      <Line label="Sandbox">{describeAddress(status.sandbox.state, status.sandbox.baseUrl)}</Line>
      <Line label="Listener">{describeAddress(status.listener.state, status.listener.url)}</Line>
    </Section>
  );
}

function describeAddress(state: string, address: string | null): ReactNode {
  return address === null ? state : <CopyText text={address} label="address" />;
}
