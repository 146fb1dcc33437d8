import { actionList } from '@shared/actions/action-list';
import { fixedKeys, isRebound } from '@shared/actions/key-bindings';
import { useState } from 'react';
import { updateSettings, useSettings } from '../../session/settings-store';
import { Button } from '../../ui/button';
import { ErrorLine } from '../../ui/error-line';
import { ViewSearch } from '../../ui/text-field';
import { useAttempt } from '../../ui/use-attempt';
import styles from './help.module.css';
import { KeyCaps, ShortcutRow } from './shortcut-row';

/** Every action with its keys, which can be changed, and the keys that lists and editors have by themselves. */
export function ShortcutList() {
  const keys = useSettings((state) => state.settings.keys);
  const [search, setSearch] = useState('');
  const { error, run } = useAttempt();
  const save = (next: Readonly<Record<string, string>>): void =>
    void run(() => updateSettings({ keys: next }));
  const change = (id: string, wanted: string | null): void => {
    const { [id]: _, ...others } = keys;
    save(wanted === null ? others : { ...others, [id]: wanted });
  };
  const isFound = (...texts: readonly string[]): boolean =>
    texts.some((text) => text.toLowerCase().includes(search.trim().toLowerCase()));
  const groups = [...new Set([...actionList, ...fixedKeys].map(({ group }) => group))];
  const rows = groups.map((group) => ({
    group,
    actions: actionList.filter((one) => one.group === group && isFound(one.title, group)),
    fixed: fixedKeys.filter((one) => one.group === group && isFound(one.title, group)),
  }));
  const shown = rows.filter(({ actions, fixed }) => actions.length + fixed.length > 0);
  return (
    <div className={styles.shortcuts}>
      <div className={styles.bar}>
        <ViewSearch
          label="Find a shortcut"
          placeholder="Find a shortcut"
          value={search}
          onChange={setSearch}
        />
        <Button
          obstacle={!actionList.some(({ id }) => isRebound(id, keys)) && 'None was changed'}
          onPress={() => save({})}
        >
          Reset all
        </Button>
      </div>
      {error ? <ErrorLine error={error} /> : null}
      <div className={styles.scroll} tabIndex={0} role="group" aria-label="Keyboard shortcuts">
        {shown.map(({ group, actions, fixed }) => (
          <section key={group} aria-label={group} className={styles.group}>
            <h2>{group}</h2>
            {actions.map((action) => (
              <ShortcutRow
                key={action.id}
                action={action}
                bindings={keys}
                onChange={(wanted) => change(action.id, wanted)}
              />
            ))}
            {fixed.map((one) => (
              <div key={one.title} className={styles.row}>
                <span>{one.title}</span>
                <span className={styles.fixed}>
                  <KeyCaps keys={one.keys} />
                </span>
              </div>
            ))}
          </section>
        ))}
        {shown.length === 0 ? <p className={styles.none}>No shortcut is called that.</p> : null}
      </div>
    </div>
  );
}
