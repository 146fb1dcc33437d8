import { useEffect, useState } from 'react';
import { Autocomplete } from 'react-aria-components/Autocomplete';
import { Input } from 'react-aria-components/Input';
import { Label } from 'react-aria-components/Label';
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox';
import { TextField } from 'react-aria-components/TextField';
import { call } from '../../../transport/client';
import { FormDialog } from '../../../ui/dialog';
import { cx } from '../../../ui/cx';
import fieldStyles from '../../../ui/field.module.css';
import menuStyles from '../../../ui/menu.module.css';
import { useRequestsStore } from '../requests-store';
import { openFolder } from './open-collections';
import styles from './open-dialog.module.css';

/** Asks for the path of a folder, where the system has no dialog to choose one with. */
export function OpenDialog({ onClose }: { onClose: () => void }) {
  const recent = useRequestsStore((state) => state.recent);
  const [path, setPath] = useState('');
  return (
    <FormDialog
      title="Open a folder"
      isOpen
      onClose={onClose}
      onSubmit={() => openFolder(path.trim())}
      submitLabel="Open"
      isSubmitDisabled={path.trim() === ''}
    >
      <PathField path={path} onChange={setPath} recent={recent.map(({ directory }) => directory)} />
    </FormDialog>
  );
}

/** A path with the folders under it in a list: what is chosen goes on in its folder. */
function PathField({
  path,
  onChange,
  recent,
}: {
  path: string;
  onChange: (path: string) => void;
  recent: readonly string[];
}) {
  const { folders, isCut, isKnown } = useFolders(path);
  const items = [...new Set([...(path === '' ? recent : []), ...folders])].map((id) => ({ id }));
  return (
    <Autocomplete inputValue={path} onInputChange={onChange} disableAutoFocusFirst>
      <TextField className={fieldStyles.field} autoFocus>
        <Label className={fieldStyles.label}>Path</Label>
        <Input
          className={cx(fieldStyles.input, fieldStyles.code)}
          placeholder="/home/you/project/requests"
          spellCheck="false"
        />
      </TextField>
      <div className={styles.folders} tabIndex={0} role="group" aria-label="Folders below">
        <ListBox
          aria-label="Folders"
          items={items}
          onAction={(id) => onChange(`${String(id)}${String(id).includes('\\') ? '\\' : '/'}`)}
          renderEmptyState={() => <p className={styles.none}>{isKnown ? describeNone(path) : 'Looking…'}</p>}
        >
          {({ id }) => (
            <ListBoxItem id={id} textValue={id} className={cx(menuStyles.item, styles.folder)}>
              {id}
            </ListBoxItem>
          )}
        </ListBox>
      </div>
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
