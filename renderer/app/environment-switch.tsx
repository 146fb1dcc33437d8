import { CircleDot } from 'lucide-react';
import { Fragment, useEffect } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';
import { Menu, MenuItem, MenuSection, MenuTrigger } from 'react-aria-components/Menu';
import { Popover } from 'react-aria-components/Popover';
import { useAppStatus } from '../session/app-status';
import { navigate } from '../session/routes';
import { beginTask } from '../session/tasks';
import { cx } from '../ui/cx';
import { ForeignText } from '../ui/foreign-text';
import { Dot } from '../ui/tag';
import { Tooltip } from '../ui/tooltip';
import menuStyles from '../ui/menu.module.css';
import { toneOfEnvironment } from '../panels/environment-tone';
import { listDistinct } from '../session/environment-options';
import { selectEnvironment, startEnvironments, useEnvironments } from '../session/environments';
import styles from './rail.module.css';

/** Pixels that a menu keeps to the edges of the window: one as high as the window ends below it. */
const EDGE_PX = 12;

/** No environment has such an id. */
const [addKey, openKey] = ['+add', '+open'];

const kindLabels = { local: 'embedded sandbox', sandbox: 'sandbox', production: 'production' } as const;

/** Says where requests go, and changes it. */
export function EnvironmentSwitch() {
  const environments = useEnvironments((state) => state.environments);
  const active = useAppStatus((state) => state.status?.environment ?? null);
  const tone = useAppStatus(toneOfEnvironment);
  useEffect(() => startEnvironments(), []);
  const isLive = active?.kind === 'production';
  const name = active ? `Environment: ${active.label}${isLive ? ', production' : ''}` : 'Environment';
  return (
    <MenuTrigger>
      <Tooltip text={name} placement="right">
        <AriaButton className={styles.environment} aria-label={name} isDisabled={environments.length === 0}>
          <span className={styles.globe}>
            <CircleDot size={18} strokeWidth={1.6} aria-hidden="true" />
            {active ? (
              <span className={styles.dot}>
                <Dot tone={tone} />
              </span>
            ) : null}
          </span>
          {active ? (
            <span className={styles.name} aria-hidden="true">
              {active.label.split(/(?<=[_./:])/).map((part, place) => (
                <Fragment key={place}>
                  {part}
                  <wbr />
                </Fragment>
              ))}
            </span>
          ) : null}
        </AriaButton>
      </Tooltip>
      <Popover
        className={menuStyles.popover}
        placement="right bottom"
        offset={6}
        maxHeight={window.innerHeight - 2 * EDGE_PX}
      >
        <Menu
          aria-label="Environments"
          className={menuStyles.menu}
          onAction={(key) => {
            if (key === addKey) beginTask('addEnvironment');
            else if (key === openKey) navigate('environments');
            else void selectEnvironment(String(key));
          }}
        >
          <MenuSection
            aria-label="Where requests go"
            selectionMode="single"
            selectedKeys={active ? [active.id] : []}
          >
            {listDistinct(environments, active?.id).map((environment) => (
              <MenuItem
                key={environment.id}
                id={environment.id}
                textValue={environment.label}
                className={cx(menuStyles.item, environment.kind === 'production' && styles.live)}
              >
                <ForeignText className={menuStyles.label} text={environment.label} />
                <span className={menuStyles.detail}>
                  {kindLabels[environment.kind]} ·{' '}
                  <ForeignText text={environment.baseUrl || 'no address yet'} />
                </span>
              </MenuItem>
            ))}
          </MenuSection>
          <MenuSection aria-label="Change them" className={styles.more}>
            <MenuItem id={addKey} textValue="Add an environment" className={menuStyles.item}>
              <span className={menuStyles.label}>Add an environment…</span>
            </MenuItem>
            <MenuItem id={openKey} textValue="Show all environments" className={menuStyles.item}>
              <span className={menuStyles.label}>Show all environments</span>
            </MenuItem>
          </MenuSection>
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}
