import { useId } from 'react';
import { Link } from 'react-aria-components/Link';
import { useAppStatus } from '../session/app-status';
import { routeHref, useRoute } from '../session/routes';
import { views, type View } from '../session/views';
import { showKeys } from '../ui/keys';
import { Tooltip } from '../ui/tooltip';
import { EnvironmentSwitch } from './environment-switch';
import styles from './rail.module.css';

/** The way to every view, with its name where the window is wide enough; below, where requests go, and the settings. */
export function Rail() {
  const upper = views.filter((view) => view.id !== 'settings');
  const settings = views.find((view) => view.id === 'settings');
  return (
    <nav className={styles.rail} aria-label="Views" data-pane="rail" tabIndex={-1}>
      {upper.map((view) => (
        <RailLink key={view.id} view={view} />
      ))}
      <div className={styles.gap} />
      <EnvironmentSwitch />
      {settings ? <RailLink view={settings} /> : null}
    </nav>
  );
}

function RailLink({ view }: { view: View }) {
  const isCurrent = useRoute((route) => route.view === view.id);
  const unreadCount = useAppStatus((state) => (view.id === 'inbox' ? (state.status?.unreadCount ?? 0) : 0));
  const badgeId = useId();
  const Icon = view.icon;
  return (
    <Tooltip text={`${view.label} (${showKeys(view.keys)})`} placement="right">
      <Link
        href={routeHref(view.id)}
        className={styles.link}
        aria-label={view.label}
        aria-current={isCurrent ? 'page' : undefined}
        aria-describedby={unreadCount > 0 ? badgeId : undefined}
      >
        <Icon size={18} strokeWidth={1.6} aria-hidden="true" />
        <span className={styles.name} aria-hidden="true">
          {'name' in view ? view.name : view.label}
        </span>
        {unreadCount > 0 ? (
          <span id={badgeId} className={styles.badge} aria-label={`${unreadCount} unread`} role="img">
            {unreadCount > 99 ? '99+' : unreadCount}
          </span>
        ) : null}
      </Link>
    </Tooltip>
  );
}
