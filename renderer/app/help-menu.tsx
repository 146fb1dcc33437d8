import { actionList } from '@shared/actions/action-list';
import { CircleQuestionMark } from 'lucide-react';
import { Button as AriaButton } from 'react-aria-components/Button';
import { MenuTrigger } from 'react-aria-components/Menu';
import { Popover } from 'react-aria-components/Popover';
import { runCommand } from '../session/commands';
import { useRoute } from '../session/routes';
import { readKeysOf } from '../session/action-keys';
import { MenuList } from '../ui/menu';
import menuStyles from '../ui/menu.module.css';
import { Dot } from '../ui/tag';
import { Tooltip } from '../ui/tooltip';
import { useNews } from './greet';
import styles from './rail.module.css';

/** What the Help menu of a native menu bar has, for every host; a dot after an update, until somebody has looked. */
export function HelpMenu() {
  const isCurrent = useRoute((route) => route.view === 'help');
  const hasNews = useNews(({ version }) => version !== null);
  return (
    <MenuTrigger>
      <Tooltip text="Help" placement="right">
        <AriaButton
          className={styles.link}
          aria-label={hasNews ? 'Help, with news' : 'Help'}
          data-current={isCurrent || undefined}
        >
          <span className={styles.globe}>
            <CircleQuestionMark size={18} strokeWidth={1.6} aria-hidden="true" />
            {hasNews ? (
              <span className={styles.dot}>
                <Dot tone="good" />
              </span>
            ) : null}
          </span>
          <span className={styles.name} aria-hidden="true">
            Help
          </span>
        </AriaButton>
      </Tooltip>
      <Popover className={menuStyles.popover} placement="right bottom" offset={6}>
        <MenuList
          label="Help"
          actions={[
            ...actionList
              .filter(({ menu }) => menu === 'help')
              .map(({ id, title }) => ({
                id,
                label: title,
                keys: readKeysOf(id)[0],
                onAction: () => runCommand(id),
              })),
            {
              id: 'toggle-rail-names',
              label: 'Show or hide the names of the views',
              hasLineAbove: true,
              onAction: () => runCommand('toggle-rail-names'),
            },
          ]}
        />
      </Popover>
    </MenuTrigger>
  );
}
