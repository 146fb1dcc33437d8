import { ToggleButton } from 'react-aria-components/ToggleButton';
import { ToggleButtonGroup } from 'react-aria-components/ToggleButtonGroup';
import { cx } from './cx';
import styles from './choice.module.css';

export interface ChoiceOption<Id extends string> {
  id: Id;
  label: string;
}

/** One of a few words in a line; the one in force stands out. Arrows go from word to word. */
export function Choice<Id extends string>({
  label,
  options,
  selected,
  onSelect,
  isDisabled,
  className,
}: {
  label: string;
  options: readonly ChoiceOption<Id>[];
  selected: Id;
  onSelect: (id: Id) => void;
  isDisabled?: boolean;
  className?: string;
}) {
  return (
    <ToggleButtonGroup
      aria-label={label}
      className={cx(styles.group, className)}
      selectionMode="single"
      disallowEmptySelection
      isDisabled={isDisabled}
      selectedKeys={[selected]}
      onSelectionChange={(keys) => {
        const [first] = keys;
        if (first !== undefined) onSelect(String(first) as Id);
      }}
    >
      {options.map((option) => (
        <ToggleButton key={option.id} id={option.id} className={styles.option}>
          {option.label}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
}
