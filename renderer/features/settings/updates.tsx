import { useEffect, useState } from 'react';
import type { UpdateCheck } from '@shared/contract/updates';
import { settingNames } from '../../session/setting-names';
import { useSettings } from '../../session/settings-store';
import { dropUnreachable } from '../../transport/drop-unreachable';
import { Button, TextButton } from '../../ui/button';
import { CopyText } from '../../ui/copy-text';
import { FormDialog } from '../../ui/form-dialog';
import { ErrorLine } from '../../ui/error-line';
import { ForeignText } from '../../ui/foreign-text';
import { formatBytes } from '../../ui/format-time';
import { TextField } from '../../ui/text-field';
import { Line } from './section';
import { checkForUpdates, downloadUpdate, setUpdateSource, useUpdatesStore } from './updates-store';

/** A newer release: looked for when asked, where the user says, signed by whom the user trusts. */
export function Updates() {
  const address = useSettings((state) => state.settings.updateAddress);
  const [isChanging, setChanging] = useState(false);
  return (
    <>
      <Line
        label={settingNames.updateAddress}
        setting="updateAddress"
        hint={
          address === ''
            ? 'None is set: no release is ever asked for. Set the address that your publisher gave you, with their public key.'
            : 'It is asked only when you press the button. Nothing is installed by itself.'
        }
      >
        {address === '' ? null : (
          <p>
            <ForeignText text={address} />
          </p>
        )}
        <Button onPress={() => setChanging(true)}>{address === '' ? 'Set…' : 'Change…'}</Button>
      </Line>
      {address === '' ? null : <Asking />}
      {isChanging ? <SourceDialog onClose={() => setChanging(false)} /> : null}
    </>
  );
}

function Asking() {
  const { isBusy, check, file, error } = useUpdatesStore();
  useEffect(() => dropUnreachable(useUpdatesStore), []);
  return (
    <Line label="Latest release">
      <Button isDisabled={isBusy} onPress={() => void checkForUpdates()}>
        {isBusy ? 'Asking…' : 'Check for updates'}
      </Button>
      {error ? <ErrorLine error={error} /> : null}
      <div role="status">{check === null ? null : <Outcome check={check} file={file} isBusy={isBusy} />}</div>
    </Line>
  );
}

function Outcome({ check, file, isBusy }: { check: UpdateCheck; file: string | null; isBusy: boolean }) {
  const { current, latest, isNewer, released, notes, files } = check;
  if (!isNewer)
    return (
      <p>{`Nothing newer is told of: the notice is of ${latest}, released on ${released}; yours is ${current}.`}</p>
    );
  const fitting = files.filter(({ isForThisSystem }) => isForThisSystem);
  return (
    <>
      <p>{`${latest} of ${released} is newer than yours, ${current}. Its signature holds.`}</p>
      {notes === '' ? null : (
        <p>
          <ForeignText text={notes} />
        </p>
      )}
      {fitting.length === 0 ? <p>It has no file for this system.</p> : null}
      {fitting.map(({ name, sizeBytes }) => (
        <p key={name}>
          <TextButton isDisabled={isBusy} onPress={() => void downloadUpdate(name)}>
            {`Download ${name}`}
          </TextButton>{' '}
          {formatBytes(sizeBytes)}
        </p>
      ))}
      {file === null ? null : (
        <p>
          It is what the publisher signed, and yours to install when you like:{' '}
          <CopyText text={file} label="path of the file" />
        </p>
      )}
    </>
  );
}

function SourceDialog({ onClose }: { onClose: () => void }) {
  const settings = useSettings((state) => state.settings);
  const [address, setAddress] = useState(settings.updateAddress);
  const [key, setKey] = useState(settings.updateKey);
  const isOff = address.trim() === '';
  return (
    <FormDialog
      title="Where updates come from"
      onClose={onClose}
      onSubmit={() => setUpdateSource(address, key)}
      submitLabel={isOff ? 'Look for none' : 'Keep'}
      obstacle={!isOff && key.trim() === '' && 'Paste the publisher’s key'}
    >
      <TextField
        label={settingNames.updateAddress}
        value={address}
        onChange={setAddress}
        help="Of the publisher's latest.json, with https. Empty: no release is looked for."
        isCode
        autoFocus
      />
      <TextField
        label="Publisher's public key (PEM, Ed25519)"
        value={key}
        onChange={setKey}
        help="A release that is not signed with it counts for nothing. Compare it with what the publisher says elsewhere."
        isCode
        rows={4}
      />
    </FormDialog>
  );
}
