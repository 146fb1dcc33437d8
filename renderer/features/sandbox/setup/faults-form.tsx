import type { SandboxFaults } from '@shared/contract/sandbox';
import { listChanged, useUnsaved } from '../../../session/unsaved';
import { Button } from '../../../ui/button';
import { TextField } from '../../../ui/text-field';
import { useSandboxStore } from '../sandbox-store';
import { NotApplied } from './not-applied';
import styles from '../sandbox.module.css';
import fieldStyles from '../../../ui/field.module.css';

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
  const [typed, setTyped] = useUnsaved<Partial<Record<keyof SandboxFaults, string>>>('sandbox/faults');
  const saved = Object.fromEntries(fields.map(({ name, unit }) => [name, write(faults[name], unit)]));
  const textOf = ({ name }: FaultField): string => typed?.[name] ?? saved[name]!;
  const values = fields.map((field) => [field.name, read(textOf(field), field.unit)] as const);
  const isGood = values.every(([, value]) => value !== null);
  const isCalm = fields.every(({ name }) => faults[name] === 0);
  const put = async (now: SandboxFaults): Promise<void> => {
    await setFaults(now);
    if (useSandboxStore.getState().actionError === null) setTyped(null);
  };
  return (
    <form
      className={styles.section}
      aria-label="Faults"
      onSubmit={(event) => {
        event.preventDefault();
        if (isGood) void put(Object.fromEntries(values) as unknown as SandboxFaults);
      }}
    >
      <header className={styles.sectionHead}>
        <h2>Faults</h2>
        {typed === null ? null : <NotApplied onDiscard={() => setTyped(null)} />}
        {isCalm ? null : <span className={styles.warn}>in force</span>}
        <Button type="submit" isDisabled={!isGood || isBusy}>
          Apply
        </Button>
        <Button
          isDisabled={isBusy}
          obstacle={isCalm && 'No fault is in force'}
          onPress={() => void put(none)}
        >
          None
        </Button>
      </header>
      <div className={fieldStyles.pair}>
        {fields.map((field) => (
          <TextField
            key={field.name}
            label={`${field.label}, ${field.unit}`}
            value={textOf(field)}
            onChange={(text) => setTyped(listChanged({ ...saved, ...typed, [field.name]: text }, saved))}
            fault={
              read(textOf(field), field.unit) === null
                ? field.unit === '%'
                  ? '0 to 100'
                  : '0 to 60000'
                : null
            }
          />
        ))}
      </div>
    </form>
  );
}
