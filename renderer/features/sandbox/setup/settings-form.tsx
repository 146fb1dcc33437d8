import type { SandboxSettings } from '@shared/contract/sandbox';
import { listChanged, useUnsaved } from '../../../session/unsaved';
import { Button } from '../../../ui/button';
import { readWhole } from '../../../ui/read-whole';
import { Switch } from '../../../ui/switch';
import { Select } from '../../../ui/select';
import { TextField } from '../../../ui/text-field';
import { useSandboxStore } from '../sandbox-store';
import styles from '../sandbox.module.css';
import { NotApplied } from './not-applied';
import { WebhookSecret } from './webhook-secret';
import fields from '../../../ui/field.module.css';

const retryPlans = [
  { id: 'standard', label: 'Standard', detail: '0, 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 10 h' },
  { id: 'fast', label: 'Fast', detail: '0, 1, 2, 4, 8 s' },
  { id: 'none', label: 'None', detail: 'one try' },
] as const;

const acceptanceForms = [
  { id: '200.100', label: 'status 200.100', detail: 'code ACCEPTED' },
  { id: '100', label: 'code 100', detail: 'status ACCEPTED' },
] as const;

const badRequestForms = [
  { id: 'envelope', label: 'Envelope (7.1)', detail: 'code 400.100 with field_errors' },
  { id: 'error_object', label: 'Error object (7.2)', detail: 'error, message, param' },
] as const;

const pathForms = [
  { id: 'both', label: 'Both' },
  { id: 'plain', label: '/payments/v1 alone' },
  { id: 'api', label: '/payments/api/v1 alone' },
] as const;

/** Numbers and hosts as text. */
type Typed = Record<'settle' | 'rate' | 'hosts', string>;

const writeSettings = ({ settleMs, rateLimit, allowedCallbackHosts }: SandboxSettings): Typed => ({
  settle: String(settleMs),
  rate: String(rateLimit),
  hosts: allowedCallbackHosts.join(', '),
});

/** How the sandbox behaves; choices take effect at once, numbers and hosts with Apply. */
export function SettingsForm({ settings }: { settings: SandboxSettings }) {
  const updateSettings = useSandboxStore((store) => store.updateSettings);
  const isBusy = useSandboxStore((store) => store.isBusy);
  const [typed, setTyped] = useUnsaved<Partial<Typed>>('sandbox/settings');
  const saved = writeSettings(settings);
  const { settle, rate, hosts }: Typed = { ...saved, ...typed };
  const note = (now: Partial<Typed>): void => setTyped(listChanged({ ...saved, ...typed, ...now }, saved));
  const settleFault = readWhole(settle, 0, 3_600_000) === null ? '0 to 3600000' : null;
  const rateFault = readWhole(rate, 0, 1_000_000) === null ? 'A whole number; 0: no limit' : null;
  const apply = async (): Promise<void> => {
    if (settleFault !== null || rateFault !== null) return;
    await updateSettings({
      settleMs: Number(settle),
      rateLimit: Number(rate),
      allowedCallbackHosts: hosts.split(/[\s,]+/).filter(Boolean),
    });
    if (useSandboxStore.getState().actionError === null) setTyped(null);
  };
  return (
    <form
      className={styles.section}
      aria-label="Settings of the sandbox"
      onSubmit={(event) => {
        event.preventDefault();
        void apply();
      }}
    >
      <header className={styles.sectionHead}>
        <h2>Behaviour</h2>
        {typed === null ? null : <NotApplied onDiscard={() => setTyped(null)} />}
        <Button type="submit" isDisabled={isBusy || settleFault !== null || rateFault !== null}>
          Apply
        </Button>
      </header>
      <div className={fields.pair}>
        <TextField
          label="Settles after, ms"
          value={settle}
          onChange={(settle) => note({ settle })}
          fault={settleFault}
        />
        <TextField
          label="Requests a second, 0: no limit"
          value={rate}
          onChange={(rate) => note({ rate })}
          fault={rateFault}
        />
      </div>
      <TextField
        label="Callback hosts besides this machine"
        value={hosts}
        onChange={(hosts) => note({ hosts })}
        placeholder="hooks.example.com"
        help="Comma between. Link-local and metadata addresses are never called."
      />
      <Forms settings={settings} />
      <Switch
        isSelected={settings.webhookSigning}
        onChange={(webhookSigning) => void updateSettings({ webhookSigning })}
      >
        Sign webhooks (Standard Webhooks headers; the interface does not say so)
      </Switch>
      <WebhookSecret isSigning={settings.webhookSigning} />
    </form>
  );
}

/** Choices; each takes effect at once. */
function Forms({ settings }: { settings: SandboxSettings }) {
  const updateSettings = useSandboxStore((store) => store.updateSettings);
  return (
    <div className={fields.pair}>
      <Select
        label="Webhook retries"
        options={retryPlans}
        selected={settings.retries}
        onSelect={(retries) => void updateSettings({ retries })}
      />
      <Select
        label="Acceptance is answered with"
        options={acceptanceForms}
        selected={settings.acceptanceForm}
        onSelect={(acceptanceForm) => void updateSettings({ acceptanceForm })}
      />
      <Select
        label="Field errors are answered with"
        options={badRequestForms}
        selected={settings.badRequestForm}
        onSelect={(badRequestForm) => void updateSettings({ badRequestForm })}
      />
      <Select
        label="Paths that answer"
        options={pathForms}
        selected={settings.pathForm}
        onSelect={(pathForm) => void updateSettings({ pathForm })}
      />
    </div>
  );
}
