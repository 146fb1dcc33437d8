import { Search, X } from 'lucide-react';
import { useRef, useState, type FocusEvent, type RefObject } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';
import { FieldError } from 'react-aria-components/FieldError';
import { Input } from 'react-aria-components/Input';
import { Label } from 'react-aria-components/Label';
import { SearchField as AriaSearchField } from 'react-aria-components/SearchField';
import { Text } from 'react-aria-components/Text';
import { TextArea } from 'react-aria-components/TextArea';
import { TextField as AriaTextField } from 'react-aria-components/TextField';
import { cutCharacters } from '@shared/is-longer';
import { LONGEST_SEARCH } from '@shared/longest-search';
import { cx } from './cx';
import styles from './field.module.css';
import { fitField } from './fit-field';
import { refuseAtField, refuseLongPaste, TOO_LONG } from './refuse-long-paste';
import { useSearchKey } from './use-search-key';

export interface TextFieldProps {
  label: string;
  /** The label is read out but not drawn. */
  isLabelHidden?: boolean;
  value: string;
  onChange: (value: string) => void;
  onBlur?: () => void;
  onFocus?: (event: FocusEvent<HTMLInputElement | HTMLTextAreaElement>) => void;
  type?: 'text' | 'password' | 'number' | 'url';
  placeholder?: string;
  /** What belongs here, under the field. */
  help?: string;
  /** What is wrong with the value; null or left out: nothing. */
  fault?: string | null;
  /** Draws the value in the code face. */
  isCode?: boolean;
  isDisabled?: boolean;
  isReadOnly?: boolean;
  autoFocus?: boolean;
  /** More than one line: how many rows to show. */
  rows?: number;
  /** Takes what is pasted and is too long to be laid out in a field; left out: it is refused. */
  onLongPaste?: (text: string) => void;
  className?: string;
}

/** A labelled line (or, with `rows`, block) of text. */
export function TextField(props: TextFieldProps) {
  const { label, isLabelHidden, placeholder, help, isCode, rows, className, autoFocus, ...others } = props;
  const { fault: ownFault, onLongPaste, ...field } = others;
  const [refused, setRefused] = useState<string | null>(null);
  const fault = ownFault ?? refused;
  const inputClass = cx(styles.input, isCode && styles.code, rows !== undefined && styles.area);
  const change = (value: string): void => {
    setRefused(null);
    field.onChange(value);
  };
  const fitted = fitField(
    field.value,
    field.isReadOnly || field.isDisabled ? null : change,
    rows === undefined,
  );
  return (
    <AriaTextField
      {...field}
      value={fitted.value}
      isReadOnly={field.isReadOnly || fitted.readOnly}
      onChange={change}
      onPaste={(event) => refuseLongPaste(event, onLongPaste ?? (() => setRefused(TOO_LONG)))}
      // Focus moves only where a dialog or a new row has just been opened by the user.
      autoFocus={autoFocus}
      type={rows === undefined ? field.type : undefined}
      isInvalid={Boolean(fault)}
      validationBehavior="aria"
      aria-label={isLabelHidden ? label : undefined}
      className={cx(styles.field, className)}
      spellCheck={isCode ? 'false' : undefined}
    >
      {isLabelHidden ? null : <Label className={styles.label}>{label}</Label>}
      {rows === undefined ? (
        <Input {...fitted} className={inputClass} placeholder={placeholder} />
      ) : (
        <TextArea {...fitted} className={inputClass} placeholder={placeholder} rows={rows} />
      )}
      {help ? (
        <Text slot="description" className={styles.help}>
          {help}
        </Text>
      ) : null}
      {fault ? <FieldError className={styles.fault}>{fault}</FieldError> : null}
    </AriaTextField>
  );
}

interface SearchFieldProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  placeholder?: string;
  /** Without a border, for use in a bar. */
  isBare?: boolean;
  className?: string;
}

/** A view's own search box: `/` goes there, Escape clears it. One a view. */
export function ViewSearch(props: SearchFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  useSearchKey(input);
  return <SearchField {...props} inputRef={input} />;
}

/** A search box: Escape clears it. */
export function SearchField({
  label,
  value,
  onChange,
  placeholder,
  isBare,
  className,
  inputRef,
}: SearchFieldProps & { inputRef?: RefObject<HTMLInputElement | null> }) {
  return (
    <AriaSearchField
      aria-label={label}
      value={value}
      onChange={(typed) => onChange(cutCharacters(typed, LONGEST_SEARCH))}
      className={cx(styles.search, isBare && styles.bare, className)}
    >
      <Search size={14} aria-hidden="true" />
      <Input ref={inputRef} className={styles.input} placeholder={placeholder} onPaste={refuseAtField} />
      <AriaButton className={styles.clear} aria-label="Clear">
        <X size={14} aria-hidden="true" />
      </AriaButton>
    </AriaSearchField>
  );
}
