import type { Environment } from '@shared/contract/environments';
import { useState } from 'react';
import { FormDialog } from '../../ui/dialog';
import { ErrorLine } from '../../ui/error-line';
import { Select } from '../../ui/select';
import { TextField } from '../../ui/text-field';
import {
  checkEnvironment,
  isUnprotected,
  listSecretNames,
  readVariables,
  writeVariables,
} from './settings-selectors';
import { useSettingsStore } from './settings-store';
import styles from './settings.module.css';
import { VariablesField } from './variables-field';

type Kind = 'sandbox' | 'production';

const kinds = [
  { id: 'sandbox', label: 'Sandbox', detail: 'the service’s test environment' },
  { id: 'production', label: 'Production', detail: 'real money; the whole window is marked' },
] as const;

/** A new environment, or a change of one. */
export function EnvironmentForm({
  environment,
  taken,
  onClose,
}: {
  environment: Environment | null;
  taken: readonly string[];
  onClose: () => void;
}) {
  const saveEnvironment = useSettingsStore((state) => state.saveEnvironment);
  const [name, setName] = useState(environment?.name ?? '');
  const [kind, setKind] = useState<Kind>(environment?.kind === 'production' ? 'production' : 'sandbox');
  const [baseUrl, setBaseUrl] = useState(environment?.baseUrl ?? '');
  const [variables, setVariables] = useState(writeVariables(environment?.variables ?? {}));
  const [inClear, setInClear] = useState<string[]>(environment?.inClear ?? []);
  const others = taken.filter((one) => one !== environment?.name);
  const faults = checkEnvironment({ name, baseUrl }, others);
  const read = readVariables(variables);
  const secretNames = listSecretNames(read.variables);
  const hasFault = faults.name !== null || faults.baseUrl !== null || read.fault !== null;
  return (
    <FormDialog
      title={environment ? `Edit “${environment.label}”` : 'Add an environment'}
      isOpen
      onClose={onClose}
      isSubmitDisabled={hasFault}
      submitLabel={environment ? 'Save' : 'Add'}
      onSubmit={() =>
        saveEnvironment({
          ...(environment ? { id: environment.id } : {}),
          name: name.trim(),
          kind,
          baseUrl: baseUrl.trim().replace(/\/+$/, ''),
          variables: read.variables,
          inClear: inClear.filter((one) => secretNames.includes(one)),
        })
      }
    >
      <div className={styles.pair}>
        <TextField
          label="Name"
          value={name}
          onChange={setName}
          fault={name === '' ? null : faults.name}
          help={name === '' ? 'Files and the command line use it.' : undefined}
          autoFocus
        />
        <Select label="Kind" options={kinds} selected={kind} onSelect={(id) => setKind(id as Kind)} />
      </div>
      <TextField
        label="Base address"
        isCode
        value={baseUrl}
        onChange={setBaseUrl}
        placeholder="https://sandbox.example.com"
        fault={baseUrl === '' ? null : faults.baseUrl}
      />
      {isUnprotected(baseUrl) ? (
        <ErrorLine
          tone="warn"
          error={{
            message: 'Tokens and bodies would travel unencrypted: use https:// unless this is a test.',
          }}
        />
      ) : null}
      <VariablesField
        environment={environment}
        text={variables}
        onText={setVariables}
        inClear={inClear}
        onInClear={setInClear}
      />
    </FormDialog>
  );
}
