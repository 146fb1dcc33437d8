import { localEnvironmentId } from '@shared/contract/environment-id';
import { useEffect, useState } from 'react';
import { selectEnvironmentId, useAppStatus } from '../../../session/app-status';
import { FormDialog } from '../../../ui/form-dialog';
import { Select } from '../../../ui/select';
import { Switch } from '../../../ui/switch';
import { TextField } from '../../../ui/text-field';
import {
  changeSigning,
  planForm,
  readSigning,
  sendTestWebhooks,
  type TestWebhookForm,
} from './send-test-webhooks';
import fields from '../../../ui/field.module.css';

const ONCE = 'once';
const scenarios = [
  { id: ONCE, label: 'Once' },
  { id: 'duplicate', label: 'Twice, the same delivery' },
  { id: 'late', label: 'Five seconds late' },
  { id: 'out-of-order', label: 'Out of order: then ACCEPTED' },
];
const statuses = ['SUCCESS', 'FAILED', 'CANCELED'].map((id) => ({ id, label: id }));

/** Has the service of the environment in use send a webhook, without a payment. */
export function TestWebhookDialog({
  listenerUrl,
  onClose,
}: {
  listenerUrl: string | null;
  onClose: () => void;
}) {
  const environment = useAppStatus(selectEnvironmentId);
  const name = useAppStatus((state) => state.status?.environment.label ?? 'The service');
  const [callbackUrl, setCallbackUrl] = useState(listenerUrl ?? '');
  const [form, setForm] = useState<TestWebhookForm>({
    status: 'SUCCESS',
    reference: '',
    amount: '',
    overrides: '',
    scenario: null,
  });
  const change = (part: Partial<TestWebhookForm>): void => setForm({ ...form, ...part });
  const signing = useSigning(environment);
  const submit = async (): Promise<void> => {
    await signing.save();
    const fault = await sendTestWebhooks(form, { environment, callbackUrl });
    if (fault !== null) throw new Error(fault);
  };
  const fault = findFault(form);
  return (
    <FormDialog
      title="Send a test webhook"
      onClose={onClose}
      onSubmit={submit}
      submitLabel="Send"
      obstacle={URL.canParse(callbackUrl) ? fault : 'Enter a whole address'}
      width="wide"
    >
      <p>{`${name} is asked to send it, as countersign trigger does. No payment is made.`}</p>
      <TextField label="Send to" type="url" value={callbackUrl} onChange={setCallbackUrl} isCode autoFocus />
      <UsualMembers form={form} change={change} />
      <TextField
        label="Other members, a line each"
        value={form.overrides}
        onChange={(overrides) => change({ overrides })}
        isCode
        rows={3}
        placeholder={'code="200.100"\nmetadata.order=7\n-client_reference'}
        help="a.b=VALUE sets one, -a.b leaves one out. The sandbox sends just that; a service takes what its simulator knows."
        fault={fault}
      />
      {signing.isOn === null ? null : (
        <Switch isSelected={signing.isOn} onChange={signing.set}>
          Sign webhooks of the sandbox with its secret, which the Sandbox view shows
        </Switch>
      )}
    </FormDialog>
  );
}

/** What every webhook has, and how often it comes. */
function UsualMembers({
  form,
  change,
}: {
  form: TestWebhookForm;
  change: (part: Partial<TestWebhookForm>) => void;
}) {
  return (
    <>
      <div className={fields.pair}>
        <Select
          label="Status"
          options={statuses}
          selected={form.status}
          onSelect={(status) => change({ status })}
        />
        <Select
          label="How often"
          options={scenarios}
          selected={form.scenario ?? ONCE}
          onSelect={(id) => change({ scenario: id === ONCE ? null : id })}
        />
      </div>
      <div className={fields.pair}>
        <TextField
          label="Reference"
          value={form.reference}
          onChange={(reference) => change({ reference })}
          isCode
        />
        <TextField
          label="Amount, sent as typed"
          value={form.amount}
          onChange={(amount) => change({ amount })}
          isCode
        />
      </div>
    </>
  );
}

function findFault(form: TestWebhookForm): string | null {
  try {
    planForm(form);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** The sandbox's own setting, for all of its webhooks; null: another service decides, or it has not been read. */
function useSigning(environment: string) {
  const [kept, setKept] = useState<boolean | null>(null);
  const [isOn, set] = useState<boolean | null>(null);
  useEffect(() => {
    if (environment !== localEnvironmentId) return;
    let isGone = false;
    const take = (read: boolean): void => {
      if (isGone) return;
      setKept(read);
      set(read);
    };
    // A sandbox that does not run refuses the webhook, too, and that is said.
    void readSigning().then(take, () => undefined);
    return () => {
      isGone = true;
    };
  }, [environment]);
  const save = async (): Promise<void> => {
    if (isOn !== null && isOn !== kept) await changeSigning(isOn);
    setKept(isOn);
  };
  return { isOn, set, save };
}
