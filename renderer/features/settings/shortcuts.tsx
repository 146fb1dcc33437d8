import { useShallow } from 'zustand/react/shallow';
import { useCommandRegistry, type AppCommand } from '../../session/commands';
import { showKeys } from '../../ui/keys';
import { Section } from './section';
import styles from './settings.module.css';

/** Keys that lists, panes and dialogs understand by themselves. */
const fixed: readonly { keys: string; title: string }[] = [
  { keys: showKeys('mod+Enter'), title: 'Requests: sign and send' },
  { keys: showKeys('mod+s'), title: 'Requests: save' },
  { keys: 'F6', title: 'Next pane (Shift+F6: the one before)' },
  { keys: '↑ ↓', title: 'Through a list; Page Up, Page Down, Home and End too' },
  { keys: 'U', title: 'Inbox: mark the webhook read or unread' },
  { keys: '← →', title: 'Through tabs and choices; on an edge between panes: its size' },
  { keys: 'Esc', title: 'Close a dialog or menu; clear a search' },
];

/** Every key that does something now. */
export function Shortcuts() {
  const commands = useCommandRegistry(
    useShallow((state) =>
      [...state.sources.values()]
        .flat()
        .filter((command): command is AppCommand & { keys: string } => !!command.keys),
    ),
  );
  return (
    <Section title="Keyboard">
      <dl className={styles.keys}>
        {commands.map((command) => (
          <KeyLine
            key={command.id}
            keys={[command.keys, command.otherKeys ?? []].flat().map(showKeys).join(', ')}
            title={command.title}
          />
        ))}
        {fixed.map((one) => (
          <KeyLine key={one.keys} {...one} />
        ))}
      </dl>
    </Section>
  );
}

function KeyLine({ keys, title }: { keys: string; title: string }) {
  return (
    <div>
      <dt>
        <kbd>{keys}</kbd>
      </dt>
      <dd>{title}</dd>
    </div>
  );
}
