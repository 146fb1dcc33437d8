import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { Checkbox as AriaCheckbox } from 'react-aria-components/Checkbox';
import { Switch as AriaSwitch } from 'react-aria-components/Switch';
import styles from './field.module.css';

interface ToggleProps {
  children: ReactNode;
  isSelected: boolean;
  onChange: (isSelected: boolean) => void;
  isDisabled?: boolean;
}

/** A yes or no that takes effect with the form it stands in. */
export function Checkbox({ children, ...props }: ToggleProps) {
  return (
    <AriaCheckbox {...props} className={styles.check}>
      <span className={styles.box}>{props.isSelected ? <Check size={11} strokeWidth={3} /> : null}</span>
      {children}
    </AriaCheckbox>
  );
}

/** A yes or no that takes effect at once. */
export function Switch({ children, ...props }: ToggleProps) {
  return (
    <AriaSwitch {...props} className={styles.check}>
      <span className={styles.track} />
      {children}
    </AriaSwitch>
  );
}
