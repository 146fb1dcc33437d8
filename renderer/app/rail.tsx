import { useId } from 'react';
import { Link } from 'react-aria-components/Link';
import { useAppStatus } from '../session/app-status';
import { routeHref, useRoute } from '../session/routes';
import { useSettings } from '../session/settings-store';
import { useLabelWithKeys } from '../panels/shown-keys';
import { views, type View } from '../session/views';
import { Tooltip } from '../ui/tooltip';
import { EnvironmentSwitch } from './environment-switch';
import { HelpMenu } from './help-menu';
import styles from './rail.module.css';

/**
 * The way to every view, with its name where the window has room and the user wants it; below, where requests go, help
 * and the settings.
 */
export function Rail() {
  const hasNames = useSettings((state) => state.settings.railNames);
  const upper = views.filter(({ id }) => id !== 'settings' && id !== 'help');
  return (
    <nav
      className={styles.rail}
      aria-label="Views"
      data-pane="rail"
      data-names={hasNames || undefined}
      tabIndex={-1}
    >
      {upper.map((view) => (
        <RailLink key={view.id} view={view} />
      ))}
      <div className={styles.gap} />
      <EnvironmentSwitch />
      <HelpMenu />
      {views.map((view) => (view.id === 'settings' ? <RailLink key={view.id} view={view} /> : null))}
    </nav>
  );
}

function RailLink({ view }: { view: View }) {
  const isCurrent = useRoute((route) => route.view === view.id);
  const unreadCount = useAppStatus((state) => (view.id === 'inbox' ? (state.status?.unreadCount ?? 0) : 0));
  const hint = useLabelWithKeys(view.label, `go-${view.id}`);
  const badgeId = useId();
  const Icon = view.icon;
  return (
    <Tooltip text={hint} placement="right">
      <Link
        href={routeHref(view.id)}
        className={styles.link}
        aria-label={view.label}
        aria-current={isCurrent ? 'page' : undefined}
        aria-describedby={unreadCount > 0 ? badgeId : undefined}
      >
        <Icon size={18} strokeWidth={1.6} aria-hidden="true" />
        <span className={styles.name} aria-hidden="true">
          {view.name}
        </span>
        {unreadCount > 0 ? (
          <span
            id={badgeId}
            className={styles.badge}
            aria-label={`${unreadCount.toLocaleString('en')} unread`}
            role="img"
          >
            {unreadCount > 99 ? '99+' : unreadCount}
          </span>
        ) : null}
      </Link>
    </Tooltip>
  );
}
