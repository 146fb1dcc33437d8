import type { AppStatus } from '@shared/contract/app';
import { useAppStatus } from '../session/app-status';
import { routeHref } from '../session/routes';
import { beginTask } from '../session/tasks';
import { useTunnel } from '../session/tunnel';
import { CopyText } from '../ui/copy-text';
import { Dot } from '../ui/tag';
import { stateTones, toneOfEnvironment } from '../panels/environment-tone';
import { useEnvironments } from '../session/environments';
import { useNews } from './greet';
import styles from './status-bar.module.css';
import tones from '../ui/tone.module.css';

const boxLabels: Record<AppStatus['vault']['box'], string> = {
  os_keychain: 'OS keychain',
  passphrase: 'passphrase',
  key_file: 'key file',
  memory: 'in memory',
};

const hostLabels: Record<AppStatus['host'], string> = {
  electron: 'Desktop app',
  web: 'Browser window',
  cli: 'Command line',
};

/** What holds everywhere: environment, addresses, vault, host. */
export function StatusBar() {
  const status = useAppStatus((state) => state.status);
  const connection = useAppStatus((state) => state.connection);
  const switchError = useEnvironments((state) => state.error);
  return (
    <footer className={styles.bar} data-pane="status" tabIndex={-1}>
      <span role="status" className={tones.told}>
        {connection === 'offline' ? (
          <span className={styles.offline}>
            <Dot tone="bad" />
            Back end not reachable, reconnecting…
          </span>
        ) : null}
      </span>
      {connection === 'refused' ? (
        <span className={styles.offline} role="alert">
          <Dot tone="bad" />
          Countersign does not know this window: open the address that it printed last
        </span>
      ) : null}
      {/* What was true of the earlier start need not be of this one. */}
      {status && connection !== 'refused' ? <StatusFacts status={status} /> : null}
      <News />
      {switchError && connection === 'online' ? (
        <span className={styles.trouble} role="alert">
          {switchError.message}
        </span>
      ) : null}
      <span id="hints" className={styles.hints} />
    </footer>
  );
}

/** After an update, in its first session: quiet, and gone with a click. */
function News() {
  const version = useNews((state) => state.version);
  return version === null ? null : (
    <a
      className={styles.vault}
      href={routeHref('help', 'new')}
      onClick={() => useNews.setState({ version: null })}
    >
      What is new in {version}
    </a>
  );
}

function StatusFacts({ status }: { status: AppStatus }) {
  const { environment, sandbox, listener, vault } = status;
  const tone = useAppStatus(toneOfEnvironment);
  return (
    <>
      <span className={styles.environment} title={environment.baseUrl}>
        <Dot tone={tone} />
        <span className={styles.label}>{environment.label}</span>
        {environment.kind === 'production' ? <b className={styles.production}>Production</b> : null}
      </span>
      <Address label="Sandbox" state={sandbox.state} url={sandbox.baseUrl} message={sandbox.message} />
      <Address label="Listener" state={listener.state} url={listener.url} message={listener.message} />
      <Tunnel />
      <span className={styles.gap} />
      <a
        className={styles.vault}
        href={routeHref('keys')}
        onClick={() => beginTask('showVault')}
        title={vault.message ?? undefined}
        data-tone={vault.state === 'unlocked' ? (vault.message ? 'warn' : undefined) : 'bad'}
      >
        {vault.state === 'unlocked' ? `Vault: ${boxLabels[vault.box]}` : `Vault ${vault.state}`}
      </a>
      <span className={styles.host}>{hostLabels[status.host]}</span>
    </>
  );
}

/** While one is wanted: its public address, or that nothing comes through it, with the reason. */
function Tunnel() {
  const tunnel = useTunnel((state) => state.tunnel);
  if (tunnel === null || tunnel.state === 'off') return null;
  const { state, url, reason } = tunnel;
  return (
    <span className={styles.address} title={reason ?? undefined}>
      <Dot tone={state === 'connected' ? 'good' : state === 'connecting' ? 'quiet' : 'bad'} />
      Tunnel{' '}
      {state === 'connected' && url !== null ? (
        <CopyText text={url} label="public address" isCode={false}>
          {url.replace(/^https?:\/\//, '').replace(/\/$/, '')}
        </CopyText>
      ) : (
        <a
          className={styles.tunnel}
          data-tone={state === 'disconnected' ? 'bad' : undefined}
          href={routeHref('inbox')}
        >
          {state === 'disconnected' ? 'down' : 'opening'}
        </a>
      )}
    </span>
  );
}

function Address(props: {
  label: string;
  state: AppStatus['sandbox']['state'];
  url: string | null;
  message: string | null;
}) {
  const { label, state, url, message } = props;
  return (
    <span className={styles.address} title={message ?? undefined}>
      {state !== 'running' ? <Dot tone={stateTones[state]} /> : message ? <Dot tone="warn" /> : null}
      {label}{' '}
      {url && state === 'running' ? (
        <CopyText text={url} label={`${label.toLowerCase()} address`} isCode={false}>
          {url.replace(/^https?:\/\//, '').replace(/\/$/, '')}
        </CopyText>
      ) : (
        state
      )}
    </span>
  );
}
