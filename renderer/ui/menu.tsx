import { useState, type MouseEvent, type ReactElement, type ReactNode } from 'react';
import { Menu as AriaMenu, MenuItem, MenuTrigger, Separator } from 'react-aria-components/Menu';
import { Popover } from 'react-aria-components/Popover';
import { Text } from 'react-aria-components/Text';
import { cx } from './cx';
import { cutDrawn } from './foreign-text';
import { showKeys } from './keys';
import styles from './menu.module.css';

export interface MenuAction {
  id: string;
  label: string;
  onAction: () => void;
  /** Why it cannot be done now, in a few words: it is greyed, with them below it. */
  obstacle?: string | false | null;
  /** Greyed for a reason that can be seen, or for a moment. */
  isDisabled?: boolean;
  isDanger?: boolean;
  /** Shown beside the label; what they do is up to whoever has the focus. */
  keys?: string | undefined;
  /** Starts a new group. */
  hasLineAbove?: boolean;
}

/** The entries of a menu, for a popover of whatever opens it. */
export function MenuList({
  label,
  actions,
  onClose,
}: {
  label: string;
  actions: readonly MenuAction[];
  onClose?: () => void;
}) {
  return (
    <AriaMenu aria-label={label} className={styles.menu} onClose={onClose} autoFocus="first">
      {actions.flatMap((action) => [
        action.hasLineAbove ? <Separator key={`${action.id}-line`} className={styles.line} /> : null,
        <MenuItem
          key={action.id}
          id={action.id}
          textValue={action.label}
          isDisabled={action.isDisabled || !!action.obstacle}
          onAction={action.onAction}
          className={cx(styles.item, action.isDanger && styles.danger)}
        >
          <Text slot="label" className={styles.keyed}>
            {cutDrawn(action.label)}
            {action.keys ? <kbd aria-hidden="true">{showKeys(action.keys)}</kbd> : null}
          </Text>
          {action.obstacle ? (
            <Text slot="description" className={styles.detail}>
              {cutDrawn(action.obstacle)}
            </Text>
          ) : null}
        </MenuItem>,
      ])}
    </AriaMenu>
  );
}

/** A menu that opens from a button; `trigger` is a Button or IconButton of ours. */
export function Menu({
  label,
  trigger,
  actions,
}: {
  label: string;
  trigger: ReactElement;
  actions: readonly MenuAction[];
}) {
  return (
    <MenuTrigger>
      {trigger}
      <Popover className={styles.popover} offset={4}>
        <MenuList label={label} actions={actions} />
      </Popover>
    </MenuTrigger>
  );
}

/** A context menu: where it was asked for, and for what. */
export interface ContextMenuState<T> {
  request: { x: number; y: number; subject: T } | null;
  /** `row`: what it is for, where that is not what hears the event. */
  open: (event: MouseEvent, subject: T, row?: Element) => void;
  close: () => void;
}

/** Opens a context menu at the pointer, or under the focused row when it came from the keyboard. */
export function useContextMenu<T>(): ContextMenuState<T> {
  const [request, setRequest] = useState<ContextMenuState<T>['request']>(null);
  return {
    request,
    open: (event, subject, row = event.currentTarget) => {
      event.preventDefault();
      const box = row.getBoundingClientRect();
      const isKeyboard = event.clientX === 0 && event.clientY === 0;
      setRequest({
        subject,
        x: isKeyboard ? box.left + 24 : event.clientX,
        y: isKeyboard ? box.bottom : event.clientY,
      });
    },
    close: () => setRequest(null),
  };
}

/** Waits until the menu has given the focus back: the dialog that an action opens gives it back to where it was then. */
function runAfterMenu(run: () => void): void {
  requestAnimationFrame(() => requestAnimationFrame(run));
}

/** The menu of {@link useContextMenu}, while it is open. */
export function ContextMenu<T>({
  menu: { request, close },
  label,
  actionsOf,
}: {
  menu: ContextMenuState<T>;
  label: string | ((subject: T) => string);
  actionsOf: (subject: T) => readonly MenuAction[];
}): ReactNode {
  if (request === null) return null;
  const { x, y, subject } = request;
  const name = typeof label === 'string' ? label : label(subject);
  const actions = actionsOf(subject).map((one) => ({ ...one, onAction: () => runAfterMenu(one.onAction) }));
  return <MenuAt x={x} y={y} label={name} actions={actions} onClose={close} />;
}

function MenuAt({
  label,
  x,
  y,
  actions,
  onClose,
}: {
  label: string;
  x: number;
  y: number;
  actions: readonly MenuAction[];
  onClose: () => void;
}): ReactNode {
  const [anchor, setAnchor] = useState<HTMLSpanElement | null>(null);
  return (
    <>
      <span ref={setAnchor} className={styles.anchor} style={{ left: x, top: y }} />
      {anchor ? (
        <Popover
          className={styles.popover}
          aria-label={label}
          triggerRef={{ current: anchor }}
          isOpen
          onOpenChange={(isOpen) => {
            if (!isOpen) onClose();
          }}
          placement="bottom start"
        >
          <MenuList label={label} actions={actions} onClose={onClose} />
        </Popover>
      ) : null}
    </>
  );
}
