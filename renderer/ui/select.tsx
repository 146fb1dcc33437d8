import { ChevronDown } from 'lucide-react';
import { Button as AriaButton } from 'react-aria-components/Button';
import { Label } from 'react-aria-components/Label';
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox';
import { Popover } from 'react-aria-components/Popover';
import { Select as AriaSelect, SelectValue } from 'react-aria-components/Select';
import { cx } from './cx';
import styles from './field.module.css';
import { cutDrawn, ForeignText } from './foreign-text';
import menuStyles from './menu.module.css';

export interface SelectOption<Id extends string = string> {
  id: Id;
  label: string;
  /** A second, quiet line. */
  detail?: string;
}

/** One choice out of a few. */
export function Select<Id extends string>({
  label,
  isLabelHidden,
  options,
  selected,
  onSelect,
  isDisabled,
  className,
}: {
  label: string;
  isLabelHidden?: boolean;
  options: readonly SelectOption<Id>[];
  selected: Id | null;
  onSelect: (id: Id) => void;
  isDisabled?: boolean;
  className?: string;
}) {
  return (
    <AriaSelect
      className={cx(styles.field, className)}
      aria-label={isLabelHidden ? label : undefined}
      value={selected}
      onChange={(key) => {
        if (key !== null) onSelect(String(key) as Id);
      }}
      isDisabled={isDisabled}
    >
      {isLabelHidden ? null : <Label className={styles.label}>{label}</Label>}
      <AriaButton className={styles.trigger}>
        <SelectValue className={styles.value}>
          {({ selectedText }) => <ForeignText text={selectedText || 'Choose…'} />}
        </SelectValue>
        <ChevronDown size={14} aria-hidden="true" />
      </AriaButton>
      <Popover className={menuStyles.popover} offset={4}>
        <ListBox className={menuStyles.menu} items={options.map((option) => ({ ...option }))}>
          {(option) => (
            <ListBoxItem id={option.id} textValue={option.label} className={menuStyles.item}>
              <ForeignText className={menuStyles.label} text={option.label} />
              {option.detail ? <span className={menuStyles.detail}>{cutDrawn(option.detail)}</span> : null}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </AriaSelect>
  );
}
