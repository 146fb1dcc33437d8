import type { SandboxFaults } from '@shared/contract/sandbox';
import { useState } from 'react';
import { Button } from '../../../ui/button';
import { TextField } from '../../../ui/text-field';
import { useSandboxStore } from '../sandbox-store';
import styles from '../sandbox.module.css';

interface FaultField {
  name: keyof SandboxFaults;
  label: string;
  unit: 'ms' | '%';
}

const fields: readonly FaultField[] = [
  { name: 'latencyMs', label: 'Latency', unit: 'ms' },
  { name: 'errorRate', label: 'Answered 500', unit: '%' },
  { name: 'dropRate', label: 'Connection dropped', unit: '%' },
  { name: 'slowBodyMs', label: 'Body trickles over', unit: 'ms' },
];

const none: SandboxFaults = { latencyMs: 0, errorRate: 0, dropRate: 0, slowBodyMs: 0 };

function write(value: number, unit: FaultField['unit']): string {
  return String(unit === '%' ? Math.round(value * 10_000) / 100 : value);
}

function read(text: string, unit: FaultField['unit']): number | null {
  if (!/^\d{1,5}(\.\d{1,2})?$/.test(text.trim())) return null;
  const value = Number(text);
  if (unit === '%') return value <= 100 ? value / 100 : null;
  return value <= 60_000 ? value : null;
}

/** Trouble on purpose, drawn from the seed: repeatable. */
export function FaultsForm({ faults }: { faults: SandboxFaults }) {
  const setFaults = useSandboxStore((store) => store.setFaults);
  const isBusy = useSandboxStore((store) => store.isBusy);
  const [draft, setDraft] = useState(() =>
    Object.fromEntries(fields.map(({ name, unit }) => [name, write(faults[name], unit)])),
  );
  const values = fields.map(({ name, unit }) => [name, read(draft[name] ?? '', unit)] as const);
  const isGood = values.every(([, value]) => value !== null);
  const isCalm = fields.every(({ name }) => faults[name] === 0);
  const apply = (): void => {
    if (isGood) void setFaults(Object.fromEntries(values) as unknown as SandboxFaults);
  };
  return (
    <form
      className={styles.section}
      aria-label="Faults"
      onSubmit={(event) => {
        event.preventDefault();
        apply();
      }}
    >
      <header className={styles.sectionHead}>
        <h2>Faults</h2>
        {isCalm ? null : <span className={styles.warn}>in force</span>}
        <Button type="submit" isDisabled={!isGood || isBusy}>
          Apply
        </Button>
        <Button isDisabled={isCalm || isBusy} onPress={() => void setFaults(none)}>
          None
        </Button>
      </header>
      <div className={styles.grid}>
        {fields.map(({ name, label, unit }) => (
          <TextField
            key={name}
            label={`${label}, ${unit}`}
            value={draft[name] ?? ''}
            onChange={(text) => setDraft({ ...draft, [name]: text })}
            fault={read(draft[name] ?? '', unit) === null ? (unit === '%' ? '0 to 100' : '0 to 60000') : null}
          />
        ))}
      </div>
    </form>
  );
}
