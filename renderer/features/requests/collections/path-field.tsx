import { useEffect, useState } from 'react';
import { Autocomplete } from 'react-aria-components/Autocomplete';
import { Input } from 'react-aria-components/Input';
import { Label } from 'react-aria-components/Label';
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox';
import { TextField } from 'react-aria-components/TextField';
import { call } from '../../../transport/client';
import { cx } from '../../../ui/cx';
import fieldStyles from '../../../ui/field.module.css';
import menuStyles from '../../../ui/menu.module.css';
import { refuseAtField } from '../../../ui/refuse-long-paste';
import styles from './path-field.module.css';

/** A path with the folders under it in a list: what is chosen goes on in its folder. */
export function PathField({
  label,
  path,
  onChange,
  recent = noRecent,
  placeholder = '/home/you/project/requests',
  autoFocus = false,
  isOptional = false,
}: {
  label: string;
  path: string;
  onChange: (path: string) => void;
  /** Offered before anything is typed. */
  recent?: readonly string[];
  placeholder?: string;
  autoFocus?: boolean;
  /** Empty says something by itself: folders are offered once something is typed. */
  isOptional?: boolean;
}) {
  const { folders, isCut, isKnown } = useFolders(path);
  const items = [...new Set([...(path === '' ? recent : []), ...folders])].map((id) => ({ id }));
  return (
    <Autocomplete inputValue={path} onInputChange={onChange} disableAutoFocusFirst>
      <TextField className={fieldStyles.field} autoFocus={autoFocus}>
        <Label className={fieldStyles.label}>{label}</Label>
        <Input
          className={cx(fieldStyles.input, fieldStyles.code)}
          placeholder={placeholder}
          spellCheck="false"
          onPaste={refuseAtField}
        />
      </TextField>
      {isOptional && path === '' ? null : (
        <div className={styles.folders} tabIndex={0} role="group" aria-label="Folders below">
          <ListBox
            aria-label="Folders"
            items={items}
            onAction={(id) => onChange(`${String(id)}${String(id).includes('\\') ? '\\' : '/'}`)}
            renderEmptyState={() => (
              <p className={styles.none}>{isKnown ? describeNone(path) : 'Looking…'}</p>
            )}
          >
            {({ id }) => (
              <ListBoxItem id={id} textValue={id} className={cx(menuStyles.item, styles.folder)}>
                {id}
              </ListBoxItem>
            )}
          </ListBox>
        </div>
      )}
      {isCut ? <p className={styles.none}>There are more. Type on to see them.</p> : null}
    </Autocomplete>
  );
}

/** Why no folder is offered. */
function describeNone(path: string): string {
  if (path === '') return 'The home folder holds no folders: type a whole path.';
  const isWhole = /^(?:[\\/~]|[a-z]:)/i.test(path);
  return isWhole ? 'No folder that can be read begins so.' : 'Type a whole path.';
}

const noRecent: readonly string[] = [];
const noFolders: { folders: readonly string[]; isCut: boolean } = { folders: [], isCut: false };
const pauseMs = 80;

/** The folders that a text may go on to; those of an earlier text stay until these are known. */
function useFolders(text: string): typeof noFolders & { isKnown: boolean } {
  const [state, setState] = useState<{ for: string | null; found: typeof noFolders }>({
    for: null,
    found: noFolders,
  });
  useEffect(() => {
    let isLatest = true;
    const timer = setTimeout(() => {
      call('collections.completeFolder', { text })
        .catch(() => noFolders)
        .then((found) => {
          if (isLatest) setState({ for: text, found });
        });
    }, pauseMs);
    return () => {
      isLatest = false;
      clearTimeout(timer);
    };
  }, [text]);
  return { ...state.found, isKnown: state.for === text };
}
