import { Globe } from 'lucide-react';
import { useEffect } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';
import { Menu, MenuItem, MenuTrigger } from 'react-aria-components/Menu';
import { Popover } from 'react-aria-components/Popover';
import { useAppStatus } from '../session/app-status';
import { Dot } from '../ui/tag';
import { Tooltip } from '../ui/tooltip';
import menuStyles from '../ui/menu.module.css';
import { toneOfEnvironment } from './environment-tone';
import { selectEnvironment, startEnvironments, useEnvironments } from './environments-store';
import styles from './rail.module.css';

const kindLabels = { local: 'embedded sandbox', sandbox: 'sandbox', production: 'production' } as const;

/** Says where requests go, and changes it. */
export function EnvironmentSwitch() {
  const environments = useEnvironments((state) => state.environments);
  const active = useAppStatus((state) => state.status?.environment ?? null);
  const tone = useAppStatus((state) => (state.status ? toneOfEnvironment(state.status) : 'quiet'));
  useEffect(() => startEnvironments(), []);
  const name = active ? `Environment: ${active.label}` : 'Environment';
  return (
    <MenuTrigger>
      <Tooltip text={name} placement="right">
        <AriaButton className={styles.environment} aria-label={name} isDisabled={environments.length === 0}>
          <span className={styles.globe}>
            <Globe size={18} strokeWidth={1.6} aria-hidden="true" />
            {active ? (
              <span className={styles.dot}>
                <Dot tone={tone} />
              </span>
            ) : null}
          </span>
          {active ? (
            <span className={styles.name} aria-hidden="true">
              {active.label}
            </span>
          ) : null}
        </AriaButton>
      </Tooltip>
      <Popover className={menuStyles.popover} placement="right bottom" offset={6}>
        <Menu
          aria-label="Environments"
          className={menuStyles.menu}
          selectionMode="single"
          selectedKeys={active ? [active.id] : []}
          onAction={(key) => void selectEnvironment(String(key))}
        >
          {environments.map((environment) => (
            <MenuItem
              key={environment.id}
              id={environment.id}
              textValue={environment.label}
              className={menuStyles.item}
            >
              <span className={menuStyles.label}>{environment.label}</span>
              <span className={menuStyles.detail}>
                {kindLabels[environment.kind]} · {environment.baseUrl || 'no address yet'}
              </span>
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}
