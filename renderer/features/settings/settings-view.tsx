import { useEffect, useState, type ReactNode } from 'react';
import { useAppStatus } from '../../session/app-status';
import { replaceRoute, routeHref, useRoute } from '../../session/routes';
import { askToNotify } from '../../session/notify-webhooks';
import { settingNames } from '../../session/setting-names';
import { loadSettings, useSettings } from '../../session/settings-store';
import { dropUnreachable } from '../../transport/drop-unreachable';
import { TextButton } from '../../ui/button';
import { Choice } from '../../ui/choice';
import { CopyText } from '../../ui/copy-text';
import { Switch } from '../../ui/switch';
import { ErrorLine } from '../../ui/error-line';
import { ViewSearch } from '../../ui/text-field';
import { settingLimits } from '@shared/contract/setting-limits';
import { DataFolder } from './data-folder';
import { NumberSetting } from './number-setting';
import { PartList, useCurrentPart } from './part-list';
import { Line, Section } from './section';
import { SettingsSearch, toWords } from './settings-search';
import { Updates } from './updates';
import { useSettingsStore } from './settings-store';
import styles from './settings.module.css';

const themes = [
  { id: 'system', label: 'As the system' },
  { id: 'light', label: 'Light' },
  { id: 'dark', label: 'Dark' },
] as const;

/** What can be set, where things lie, which keys do what. */
export function SettingsView() {
  const [sought, setSought] = useState('');
  const { page, current, follow, goTo } = useCurrentPart(titles, sought, () => setSought(''));
  useSettingFromRoute(sought, setSought);
  return (
    <div className={styles.view} data-pane="settings" data-ring="own" tabIndex={-1}>
      <PartList titles={titles} current={current} onPress={goTo} />
      <div className={styles.main}>
        <div className={styles.bar}>
          <ViewSearch
            label="Search the settings"
            placeholder="Search the settings"
            isBare
            value={sought}
            onChange={setSought}
          />
        </div>
        <div ref={page} className={styles.scroll} onScroll={follow}>
          <div className={styles.page}>
            <Troubles />
            <SettingsSearch value={toWords(sought)}>
              {parts.map(({ title, Content }) => (
                <Section key={title} title={title}>
                  <Content />
                </Section>
              ))}
            </SettingsSearch>
            <p className={styles.nothing}>No setting has these words.</p>
          </div>
        </div>
      </div>
    </div>
  );
}

/** In the order of the page. */
const parts = [
  { title: 'Look', Content: LookSettings },
  { title: 'Safety and sending', Content: SendingSettings },
  { title: 'Inbox', Content: InboxSettings },
  { title: 'Data folder', Content: DataFolder },
  { title: 'Updates', Content: Updates },
  { title: 'This installation', Content: About },
] as const;
const titles = parts.map(({ title }) => title);

function Troubles() {
  const error = useSettingsStore((state) => state.error);
  useEffect(() => dropUnreachable(useSettingsStore), []);
  const notice = useSettings((state) => state.settings.notice);
  const unread = useSettings((state) => state.error);
  return (
    <>
      {unread ? (
        <ErrorLine
          error={{
            ...unread,
            message: `The settings could not be read; these are the defaults. ${unread.message}`,
          }}
        >
          <TextButton onPress={() => void loadSettings()}>Try again</TextButton>
        </ErrorLine>
      ) : null}
      {error ? <ErrorLine error={error} /> : null}
      {notice ? <ErrorLine tone="warn" error={{ message: notice }} /> : null}
    </>
  );
}

function LookSettings() {
  const change = useSettingsStore((state) => state.change);
  const settings = useSettings((state) => state.settings);
  return (
    <>
      <Line label={settingNames.theme} setting="theme">
        <Choice
          label={settingNames.theme}
          options={themes}
          selected={settings.theme}
          onSelect={(theme) => void change({ theme })}
        />
      </Line>
      <Line label={settingNames.railNames} setting="railNames">
        <Switch isSelected={settings.railNames} onChange={(railNames) => void change({ railNames })}>
          Under their icons, where the window has room
        </Switch>
      </Line>
      <Line label={settingNames.keys} setting="keys">
        <a href={routeHref('help', 'shortcuts')}>Look at them, and choose your own</a>
      </Line>
    </>
  );
}

function SendingSettings() {
  const change = useSettingsStore((state) => state.change);
  const settings = useSettings((state) => state.settings);
  return (
    <>
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
    </>
  );
}

const limits = [
  {
    setting: 'keepCount',
    unit: 'webhooks',
    help: '0: all. Beyond it the oldest go; pinned ones stay, and count for nothing.',
  },
  { setting: 'keepDays', unit: 'days', help: '0: for ever.' },
  { setting: 'keepMib', unit: 'MiB in all', help: '0: all. The newest bodies are kept up to so much.' },
] as const;

/** How much of what came in stays on this machine. Receiving never stops for it. */
function InboxSettings() {
  const change = useSettingsStore((state) => state.change);
  const settings = useSettings((state) => state.settings);
  return (
    <>
      {limits.map(({ setting, unit, help }) => (
        <NumberSetting
          key={setting}
          setting={setting}
          unit={unit}
          help={help}
          value={settings[setting]}
          least={settingLimits[setting].min}
          most={settingLimits[setting].max}
          onChange={(value) => change({ [setting]: value })}
        />
      ))}
      <Line label={settingNames.notifications} setting="notifications">
        <Notifying />
      </Line>
    </>
  );
}

/** The desktop's leave is asked for by a click alone. */
function Notifying() {
  const change = useSettingsStore((state) => state.change);
  const isOn = useSettings((state) => state.settings.notifications);
  const [refusal, setRefusal] = useState<string | null>(null);
  const set = async (notifications: boolean): Promise<void> => {
    const reason = notifications ? await askToNotify() : null;
    setRefusal(reason);
    if (reason === null) await change({ notifications });
  };
  return (
    <>
      <Switch isSelected={isOn} onChange={(next) => void set(next)}>
        While the window is not in front; unread ones are counted at the icon or in the title
      </Switch>
      {refusal === null ? null : <ErrorLine tone="warn" error={{ message: refusal }} />}
    </>
  );
}

/** `#/settings/set/<setting>` goes to its control. */
function useSettingFromRoute(sought: string, seek: (words: string) => void): void {
  const setting = useRoute(({ view, rest }) =>
    view === 'settings' ? /^set\/(\w+)$/.exec(rest)?.[1] : undefined,
  );
  useEffect(() => {
    if (setting === undefined) return;
    const line = document.querySelector(`[data-setting="${setting}"]`);
    // Hidden by what is looked for: it is there once that is cleared.
    if (line === null && sought !== '') return seek('');
    line?.scrollIntoView({ block: 'center' });
    line?.querySelector<HTMLElement>('[aria-checked="true"], input, a')?.focus();
    replaceRoute('settings');
  }, [setting, sought, seek]);
}

const hostNames = { electron: 'Electron', web: 'Browser window', cli: 'Command line' } as const;

function About() {
  const status = useAppStatus((state) => state.status);
  if (!status) return null;
  return (
    <>
      <Line label="Data directory">
        <CopyText text={status.dataDirectory} label="data directory" />
      </Line>
      <Line label="Version">
        <CopyText text={status.version} label="version" />
      </Line>
      <Line label="Host">{`${hostNames[status.host]} on ${status.platform}`}</Line>
      <Line label="Sandbox">{describeAddress(status.sandbox.state, status.sandbox.baseUrl)}</Line>
      <Line label="Listener">{describeAddress(status.listener.state, status.listener.url)}</Line>
    </>
  );
}

function describeAddress(state: string, address: string | null): ReactNode {
  return address === null ? state : <CopyText text={address} label="address" />;
}
