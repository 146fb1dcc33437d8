import { useState } from 'react';
import { settingNames, type SettingId } from '../../session/setting-names';
import { useAskBeforeLeaving } from '../../ui/ask-before-leaving';
import { readWhole } from '../../ui/read-whole';
import { TextField } from '../../ui/text-field';
import { useIsFound } from './settings-search';
import styles from './settings.module.css';

/** A whole number that takes effect when the field is left or Enter is pressed. */
export function NumberSetting({
  setting,
  unit,
  help,
  value,
  least,
  most,
  onChange,
}: {
  setting: SettingId;
  unit: string;
  help: string;
  value: number;
  least: number;
  most: number;
  onChange: (value: number) => Promise<void>;
}) {
  const label = settingNames[setting];
  const [draft, setDraft] = useState<string | null>(null);
  const text = draft ?? String(value);
  const number = readWhole(text, least, most);
  useAskBeforeLeaving(() => draft !== null && number !== value);
  const save = (): void => {
    if (draft === null || number === null) return;
    setDraft(null);
    if (number !== value) void onChange(number);
  };
  if (!useIsFound(label, unit, help)) return null;
  return (
    <form
      className={styles.line}
      data-setting={setting}
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <span className={styles.label}>{label}</span>
      <div className={styles.value}>
        <div className={styles.number}>
          <TextField
            label={`${label}, ${unit}`}
            isLabelHidden
            value={text}
            onChange={setDraft}
            onBlur={save}
            fault={number === null ? `${least} to ${most}` : null}
          />
          <span>{unit}</span>
        </div>
        <small>{help}</small>
      </div>
    </form>
  );
}
