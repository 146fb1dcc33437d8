import { ErrorLine } from '../../ui/error-line';
import { Select } from '../../ui/select';
import { TextField } from '../../ui/text-field';
import { isUnprotected } from './environment-fields';
import type { FieldsProps } from './fields-props';
import styles from './environments.module.css';
import fields from '../../ui/field.module.css';

const kinds = [
  { id: 'sandbox', label: 'Sandbox', detail: 'the service’s test environment' },
  { id: 'production', label: 'Production', detail: 'real money; the whole window is marked' },
] as const;

const pathForms = [
  { id: 'as_written', label: 'As the request has it', detail: 'nothing is changed' },
  { id: 'plain', label: '/payments/v1/…', detail: 'the first form of the interface' },
  { id: 'api', label: '/payments/api/v1/…', detail: 'the second form of the interface' },
] as const;

/** Name, kind and addresses. */
export function BasicFields({ draft, change, faults, environment }: FieldsProps) {
  const isShared = environment?.source === 'collection';
  return (
    <section className={styles.block} aria-label="Address">
      <div className={fields.pair}>
        <TextField
          label="Name"
          value={draft.name}
          onChange={(name) => change({ name })}
          fault={draft.name === '' ? null : (faults['name'] ?? null)}
          help={environment === null ? 'Files and the command line use it.' : undefined}
          isReadOnly={isShared}
          autoFocus={environment === null}
        />
        <Select label="Kind" options={kinds} selected={draft.kind} onSelect={(kind) => change({ kind })} />
      </div>
      <div className={fields.pair}>
        <TextField
          label="Base address"
          isCode
          value={draft.baseUrl}
          onChange={(baseUrl) => change({ baseUrl })}
          placeholder="https://sandbox.example.com"
          fault={draft.baseUrl === '' ? null : (faults['baseUrl'] ?? null)}
          help={isShared ? 'From http-client.env.json of the collection.' : undefined}
          isReadOnly={isShared}
        />
        <Select
          label="Path form of payments"
          options={pathForms}
          selected={draft.setup.pathForm}
          onSelect={(pathForm) => change({ setup: { ...draft.setup, pathForm } })}
        />
      </div>
      {isUnprotected(draft.baseUrl) ? (
        <ErrorLine
          tone="warn"
          error={{
            message: 'Tokens and bodies would travel unencrypted: use https:// unless this is a test.',
          }}
        />
      ) : null}
      {isShared ? null : (
        <TextField
          label="Callback address"
          isCode
          value={draft.callbackUrl}
          onChange={(callbackUrl) => change({ callbackUrl })}
          placeholder="https://hooks.example.com/payments"
          fault={faults['callbackUrl'] ?? null}
          help="{{callback_url}} in requests. Empty: it follows the listener of this app."
        />
      )}
    </section>
  );
}
