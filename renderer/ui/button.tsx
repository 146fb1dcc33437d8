import { useId, useRef, type ReactElement, type ReactNode } from 'react';
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components/Button';
import styles from './button.module.css';
import { cx } from './cx';
import { Tooltip } from './tooltip';

export interface ButtonProps extends Omit<AriaButtonProps, 'className' | 'children'> {
  children: ReactNode;
  /** `plain`: a bordered button. `primary`: the one main action of a screen. `danger`: destroys. `quiet`: no border. */
  variant?: 'plain' | 'primary' | 'danger' | 'quiet';
  /** Keyboard shortcut shown beside the label, e.g. `⌃↵`. */
  shortcut?: string | undefined;
  /** Takes a double click for one press: by the second, it stands for something else, or would pay once more. */
  isOnce?: boolean;
  /** Why it cannot be done now, in a few words: it is greyed, and they are told at the pointer and to screen readers. */
  obstacle?: string | false | null;
  className?: string;
}

/** A labelled action. */
export function Button({
  children,
  variant = 'plain',
  shortcut,
  isOnce = false,
  obstacle,
  className,
  onPress,
  ...props
}: ButtonProps) {
  const press = usePress(onPress, isOnce);
  const { greyed, explain } = useObstacle(obstacle);
  return explain(
    <AriaButton {...props} {...press} {...greyed} className={cx(styles.button, styles[variant], className)}>
      {children}
      {shortcut ? (
        <kbd className={styles.shortcut} aria-hidden="true">
          {shortcut}
        </kbd>
      ) : null}
    </AriaButton>,
  );
}

/** A button that is disabled has no tooltip of its own; what explains it stands around it also while it is not, so that it stays the same one. */
function useObstacle(obstacle: ButtonProps['obstacle']) {
  const id = useId();
  return {
    greyed: obstacle ? { isDisabled: true, 'aria-describedby': id } : {},
    explain: (button: ReactElement): ReactElement =>
      obstacle === undefined ? (
        button
      ) : (
        <span className={styles.explained} title={obstacle || undefined}>
          {button}
          {obstacle ? (
            <span hidden id={id}>
              {obstacle}
            </span>
          ) : null}
        </span>
      ),
  };
}

function usePress(onPress: AriaButtonProps['onPress'], isOnce: boolean) {
  const clicks = useRef(0);
  const press: AriaButtonProps['onPress'] = (event) => {
    // Keys and screen readers press without a mouse, and after one.
    const isSecond = isOnce && event.pointerType !== 'keyboard' && clicks.current > 1;
    clicks.current = 0;
    if (!isSecond) onPress?.(event);
  };
  const onMouseDownCapture = ({ detail }: { detail: number }): void => void (clicks.current = detail);
  return { onPress: press, onMouseDownCapture };
}

export interface IconButtonProps extends Omit<AriaButtonProps, 'className' | 'children'> {
  /** Accessible name, and what the tooltip says. */
  label: string;
  /** A lucide icon element, 16 px. */
  children: ReactNode;
  className?: string;
  isActive?: boolean;
}

/** An action shown as an icon; its name stands in a tooltip. */
export function IconButton({ label, children, className, isActive, ...props }: IconButtonProps) {
  return (
    <Tooltip text={label}>
      <AriaButton
        {...props}
        aria-label={label}
        className={cx(styles.icon, isActive && styles.active, className)}
      >
        {children}
      </AriaButton>
    </Tooltip>
  );
}

/** An action inside a line of text: looks like a link, acts like a button. */
export function TextButton({
  children,
  isOnce = false,
  obstacle,
  className,
  onPress,
  ...props
}: Omit<ButtonProps, 'variant' | 'shortcut'>) {
  const press = usePress(onPress, isOnce);
  const { greyed, explain } = useObstacle(obstacle);
  return explain(
    <AriaButton {...props} {...press} {...greyed} className={cx(styles.text, className)}>
      {children}
    </AriaButton>,
  );
}
