import { ChevronDown, X } from 'lucide-react';
import { useEffect, useMemo, useRef, type KeyboardEvent, type MouseEvent } from 'react';
import { commandOf, useCommands, type AppCommand } from '../../../session/commands';
import { IconButton } from '../../../ui/button';
import { copyAction } from '../../../ui/copy-action';
import { cx } from '../../../ui/cx';
import { ForeignText } from '../../../ui/foreign-text';
import { ContextMenu, Menu, useContextMenu, type MenuAction } from '../../../ui/menu';
import { isKeyPress } from '../../../ui/keys';
import { useOverfull } from '../../../ui/use-overfull';
import { DraftVerb } from '../draft-verb';
import { findNode, isDirty } from '../requests-selectors';
import { findTab, useRequestsStore, type OpenTab, type RequestsState } from '../requests-store';
import { saveTab } from '../tree/collection-actions';
import { tabFileActions } from '../tree/row-menu';
import { CloseDialog } from './close-dialog';
import styles from './request-tabs.module.css';
import { showTab } from './show-tab';
import { requestClose, stepTab } from './tab-actions';

/** The requests that are open; a dot where something is not saved. Arrow keys go along, Delete closes. */
export function RequestTabs() {
  const tabs = useRequestsStore((state) => state.tabs);
  const activeId = useRequestsStore((state) => state.activeId);
  const row = useRef<HTMLElement>(null);
  const isOverfull = useOverfull(row, tabs.length);
  const menu = useContextMenu<OpenTab>();
  useTabCommands();
  return (
    <div className={styles.bar}>
      <nav
        ref={row}
        className={styles.tabs}
        aria-label="Open requests"
        onKeyDown={moveFocus}
        onWheel={({ currentTarget, deltaY }) => (currentTarget.scrollLeft += deltaY)}
      >
        {tabs.map((tab) => (
          <Tab key={tab.id} tab={tab} isActive={tab.id === activeId} onContextMenu={menu.open} />
        ))}
      </nav>
      {isOverfull ? (
        <Menu
          label="Open requests"
          trigger={
            <IconButton label={`All ${tabs.length} open requests`} className={styles.all}>
              <ChevronDown size={14} />
            </IconButton>
          }
          actions={tabs.map((tab) => ({
            id: tab.id,
            label: isDirty(tab) ? `${tab.title} (not saved)` : tab.title,
            onAction: () => showTab(tab.id),
          }))}
        />
      ) : null}
      <ContextMenu
        menu={menu}
        label={({ title }) => `Actions for ${title}`}
        actionsOf={(tab) => tabActions(tab, tabs)}
      />
      <CloseDialog />
    </div>
  );
}

function Tab({
  tab,
  isActive,
  onContextMenu,
}: {
  tab: OpenTab;
  isActive: boolean;
  onContextMenu: (event: MouseEvent, tab: OpenTab) => void;
}) {
  const box = useRef<HTMLDivElement>(null);
  const isUnsaved = isDirty(tab);
  const place = useRequestsStore((state) => describePlace(state, tab));
  useEffect(() => {
    const row = box.current?.parentElement;
    if (!isActive || !row) return undefined;
    // Told at first, and whenever the row grows narrower or the tab wider: the tab on show stays in view.
    const observer = new ResizeObserver(() =>
      box.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' }),
    );
    observer.observe(row);
    observer.observe(box.current!);
    return () => observer.disconnect();
  }, [isActive]);
  return (
    <div
      ref={box}
      className={cx(styles.tab, isActive && styles.active)}
      onContextMenu={(event) => onContextMenu(event, tab)}
    >
      <button
        type="button"
        className={styles.open}
        aria-current={isActive ? 'true' : undefined}
        tabIndex={isActive ? 0 : -1}
        data-tab={tab.id}
        title={place}
        onClick={() => showTab(tab.id)}
        onAuxClick={(event) => {
          if (event.button === 1) requestClose([tab.id]);
        }}
      >
        <TabVerb tab={tab} />
        <span className={styles.title}>
          <ForeignText text={tab.title} />
        </span>
        {isUnsaved ? <span className={styles.dot} role="img" aria-label="not saved" /> : null}
      </button>
      <IconButton
        label={`Close ${tab.title}`}
        excludeFromTabOrder={!isActive}
        onPress={() => requestClose([tab.id])}
      >
        <X size={12} />
      </IconButton>
    </div>
  );
}

/** Where its file is; with the collection where several are open. */
function describePlace({ collections }: RequestsState, { collectionId, path }: OpenTab): string {
  const owner = collections.find(({ id }) => id === collectionId);
  return owner !== undefined && collections.length > 1 ? `${owner.name} › ${path}` : path;
}

/** Left and Right go from tab to tab, Delete closes the one that has the focus, and its menu's keys do what they do there. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const buttons = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-tab]')];
  const at = buttons.indexOf(event.target as HTMLElement);
  const id = buttons[at]?.dataset['tab'];
  if (id === undefined) return;
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  const tab = findTab(id);
  const action =
    tab && tabFileActions(tab.collectionId, tab.path).find(({ keys = '' }) => isKeyPress(event, keys));
  if (action !== undefined) {
    event.preventDefault();
    action.onAction();
    return;
  }
  if (event.key === 'Delete') requestClose([id]);
  if (step === undefined) return;
  event.preventDefault();
  buttons[(at + step + buttons.length) % buttons.length]?.focus();
}

function tabActions(tab: OpenTab, tabs: readonly OpenTab[]): MenuAction[] {
  const ids = tabs.map(({ id }) => id);
  const after = ids.slice(ids.indexOf(tab.id) + 1);
  return [
    {
      id: 'save',
      label: 'Save',
      obstacle: !isDirty(tab) && 'It is saved',
      onAction: () => void saveTab(tab.id),
    },
    ...tabFileActions(tab.collectionId, tab.path),
    { id: 'close', label: 'Close', hasLineAbove: true, onAction: () => requestClose([tab.id]) },
    {
      id: 'close-others',
      label: 'Close the others',
      obstacle: tabs.length < 2 && 'It is the only one',
      onAction: () => requestClose(ids.filter((id) => id !== tab.id)),
    },
    {
      id: 'close-after',
      label: 'Close those to the right',
      obstacle: after.length === 0 && 'None is there',
      onAction: () => requestClose(after),
    },
    { id: 'close-all', label: 'Close all', onAction: () => requestClose(ids) },
    { ...copyAction('copy-path', 'Copy the path in the collection', tab.path), hasLineAbove: true },
  ];
}

function useTabCommands(): void {
  const activeId = useRequestsStore((state) => state.activeId);
  const count = useRequestsStore((state) => state.tabs.length);
  const commands = useMemo((): AppCommand[] => {
    return [
      commandOf('close-tab', {
        isDisabled: activeId === null,
        run: () => requestClose(activeId === null ? [] : [activeId]),
      }),
      commandOf('next-tab', { isDisabled: count < 2, run: () => stepTab(1) }),
      commandOf('previous-tab', { isDisabled: count < 2, run: () => stepTab(-1) }),
    ];
  }, [activeId, count]);
  useCommands('request-tabs', commands);
}

/** The method as it is written in the tab. */
function TabVerb({ tab: { collectionId, path } }: { tab: OpenTab }) {
  const saved = useRequestsStore((state) => findNode(state, collectionId, path)?.method ?? null);
  return <DraftVerb collectionId={collectionId} path={path} saved={saved} />;
}
