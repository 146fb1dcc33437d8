import type { ForwardingStatus } from '@shared/contract/forwarding';
import { useState } from 'react';
import { FormDialog } from '../../../ui/form-dialog';
import { Switch } from '../../../ui/switch';
import { TextField } from '../../../ui/text-field';
import { useWaysStore } from './ways-store';

/** Switches forwarding on or off, and says to where and what. */
export function ForwardDialog({
  forwarding,
  onClose,
}: {
  forwarding: ForwardingStatus;
  onClose: () => void;
}) {
  const setForwarding = useWaysStore((state) => state.setForwarding);
  const [isOn, setOn] = useState(true);
  const [url, setUrl] = useState(forwarding.url);
  const [filter, setFilter] = useState(forwarding.filter);
  return (
    <FormDialog
      title="Forward webhooks to your backend"
      onClose={onClose}
      onSubmit={() => setForwarding({ isOn, url: url.trim(), filter: filter.trim() })}
      submitLabel={isOn ? 'Forward' : 'Do not forward'}
      obstacle={isOn && url.trim() === '' && 'Enter an address'}
    >
      <Switch isSelected={isOn} onChange={setOn}>
        Forward each webhook, byte for byte, once it is kept
      </Switch>
      <TextField
        label="Address"
        value={url}
        onChange={setUrl}
        isDisabled={!isOn}
        autoFocus
        isCode
        placeholder="http://127.0.0.1:3000"
        help="Without a path each webhook keeps its own."
      />
      <TextField
        label="Only those where"
        value={filter}
        onChange={setFilter}
        isDisabled={!isOn}
        isCode
        placeholder="status == FAILED and body.amount >= 2000"
        help="Empty: all of them."
      />
    </FormDialog>
  );
}
