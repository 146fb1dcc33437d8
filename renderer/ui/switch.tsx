import type { ReactNode } from 'react';
import { Switch as AriaSwitch } from 'react-aria-components/Switch';
import styles from './field.module.css';

/** A yes or no that takes effect at once. */
export function Switch(props: {
  children: ReactNode;
  isSelected: boolean;
  onChange: (isSelected: boolean) => void;
  isDisabled?: boolean;
}) {
  const { children, ...rest } = props;
  return (
    <AriaSwitch {...rest} className={styles.check}>
      <span className={styles.track} />
      {children}
    </AriaSwitch>
  );
}
