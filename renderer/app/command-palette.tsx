import type { Settings } from '@shared/contract/app';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { useSettings, updateSettings } from '../session/settings-store';
import { navigate } from '../session/routes';
import { views } from '../session/views';
import { Dialog } from '../ui/dialog';
import { listCommands, useCommands, type AppCommand } from '../session/commands';
import { showKeys } from '../ui/keys';
import styles from './command-palette.module.css';
import { selectEnvironment, useEnvironments } from './environments-store';
import { filterCommands } from './filter-commands';

/** Ctrl/Cmd+K: everything that can be done here, by name. Also holds the shell's own commands. */
export function CommandPalette() {
  const [isOpen, setOpen] = useState(false);
  const open = useCallback(() => setOpen(true), []);
  useShellCommands(open);
  return (
    <Dialog title="Commands" isOpen={isOpen} onClose={() => setOpen(false)}>
      <CommandList onDone={() => setOpen(false)} />
    </Dialog>
  );
}

function CommandList({ onDone }: { onDone: () => void }) {
  const [query, setQuery] = useState('');
  const [commands] = useState(() => listCommands().filter((command) => !command.isDisabled));
  const found = filterCommands(commands, query);
  const [position, setPosition] = useState(0);
  const current = Math.min(position, Math.max(0, found.length - 1));
  const run = (command: AppCommand | undefined): void => {
    if (!command) return;
    onDone();
    // After the dialog has given the focus back, so that the command may move it.
    requestAnimationFrame(() => command.run());
  };
  return (
    <div className={styles.palette}>
      <input
        className={styles.input}
        role="combobox"
        aria-label="Search commands"
        aria-expanded="true"
        aria-controls="command-list"
        aria-activedescendant={found[current] ? `command-${found[current].id}` : undefined}
        placeholder="Type a command, a view or a request"
        autoFocus
        value={query}
        onChange={(event) => {
          setQuery(event.target.value);
          setPosition(0);
        }}
        onKeyDown={(event) => {
          const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
          if (step !== 0 && found.length > 0) {
            event.preventDefault();
            setPosition((current + step + found.length) % found.length);
          } else if (event.key === 'Enter') {
            event.preventDefault();
            run(found[current]);
          }
        }}
      />
      <ul id="command-list" className={styles.list} role="listbox" aria-label="Commands">
        {found.map((command, index) => (
          <CommandRow
            key={command.id}
            command={command}
            isCurrent={index === current}
            onRun={() => run(command)}
          />
        ))}
      </ul>
      {found.length === 0 ? <p className={styles.none}>No command is called that.</p> : null}
    </div>
  );
}

function CommandRow({
  command,
  isCurrent,
  onRun,
}: {
  command: AppCommand;
  isCurrent: boolean;
  onRun: () => void;
}) {
  const [element, setElement] = useState<HTMLLIElement | null>(null);
  useEffect(() => {
    if (isCurrent) element?.scrollIntoView({ block: 'nearest' });
  }, [isCurrent, element]);
  return (
    // The keys are taken by the search box, which holds the focus.
    <li
      ref={setElement}
      id={`command-${command.id}`}
      className={styles.row}
      role="option"
      aria-selected={isCurrent}
      onClick={onRun}
    >
      <span className={styles.group}>{command.group}</span>
      <span className={styles.title}>{command.title}</span>
      {command.keys ? <kbd className={styles.keys}>{showKeys(command.keys)}</kbd> : null}
    </li>
  );
}

const themes: readonly [Settings['theme'], string][] = [
  ['system', 'Follow the system'],
  ['light', 'Light'],
  ['dark', 'Dark'],
];

function useShellCommands(openPalette: () => void): void {
  const environments = useEnvironments((state) => state.environments);
  const theme = useSettings((state) => state.settings.theme);
  const commands = useMemo(
    (): AppCommand[] => [
      { id: 'palette', title: 'Show all commands', group: 'Window', keys: 'mod+k', run: openPalette },
      ...views.map((view) => ({
        id: `go-${view.id}`,
        title: view.label,
        group: 'Go to',
        keys: view.keys,
        run: () => navigate(view.id),
      })),
      ...environments
        .filter((environment) => !environment.isActive)
        .map((environment) => ({
          id: `environment-${environment.id}`,
          title: environment.label,
          group: 'Environment',
          run: () => void selectEnvironment(environment.id),
        })),
      ...themes
        .filter(([id]) => id !== theme)
        .map(([id, label]) => ({
          id: `theme-${id}`,
          title: label,
          group: 'Theme',
          run: () => void updateSettings({ theme: id }).catch(() => undefined),
        })),
    ],
    [environments, theme, openPalette],
  );
  useCommands('shell', commands);
}
