import { settingLimits } from '@shared/contract/setting-limits';
import { useState } from 'react';
import { updateSettings, useSettings } from '../../session/settings-store';
import { FormDialog } from '../../ui/form-dialog';
import { TextField } from '../../ui/text-field';
import tones from '../../ui/tone.module.css';

function faultOf(text: string, { min, max }: { min: number; max: number }): string | null {
  const value = Number(text);
  const isFine = /^\d+$/.test(text.trim()) && value >= min && value <= max;
  return isFine ? null : `A whole number from ${min} to ${max.toLocaleString('en')}.`;
}

/** How much of the history is kept, and for how long. */
export function KeepDialog({ onClose }: { onClose: () => void }) {
  const { historyMost, historyDays } = useSettings((state) => state.settings);
  const [most, setMost] = useState(String(historyMost));
  const [days, setDays] = useState(String(historyDays));
  const faults = [
    faultOf(most, settingLimits.historyMost),
    faultOf(days, settingLimits.historyDays),
  ] as const;
  return (
    <FormDialog
      title="What the history keeps"
      onClose={onClose}
      onSubmit={() => updateSettings({ historyMost: Number(most), historyDays: Number(days) })}
      submitLabel="Keep so"
      obstacle={faults[0] ?? faults[1]}
    >
      <TextField
        label="Newest exchanges"
        value={most}
        onChange={setMost}
        fault={faults[0]}
        help="0: all of them."
        autoFocus
      />
      <TextField
        label="Days"
        value={days}
        onChange={setDays}
        fault={faults[1]}
        help="0: whatever their age."
      />
      <p className={tones.soft}>
        What is too many or too old is deleted for good, the oldest first, with what journeys and balances
        knew from it. Pinned ones stay, and do not count. Balances that refresh by themselves are not listed
        here.
      </p>
    </FormDialog>
  );
}
