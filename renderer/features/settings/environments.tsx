import type { Environment } from '@shared/contract/environments';
import { useState } from 'react';
import { navigate } from '../../session/routes';
import { Button, TextButton } from '../../ui/button';
import { CopyText } from '../../ui/copy-text';
import { ConfirmDialog } from '../../ui/dialog';
import { ErrorLine } from '../../ui/error-line';
import { Tag, type Tone } from '../../ui/tag';
import { EnvironmentForm } from './environment-form';
import { Section } from './section';
import { useSettingsStore } from './settings-store';
import styles from './settings.module.css';

const kindTones: Record<Environment['kind'], Tone> = { local: 'quiet', sandbox: 'good', production: 'bad' };

/** Where requests can go. */
export function Environments() {
  const environments = useSettingsStore((state) => state.environments);
  const error = useSettingsStore((state) => state.environmentsError);
  const faults = useSettingsStore((state) => state.faults);
  const [editing, setEditing] = useState<Environment | 'new' | null>(null);
  return (
    <Section
      title="Environments"
      action={<Button onPress={() => setEditing('new')}>Add an environment</Button>}
    >
      {error ? <ErrorLine error={error} /> : null}
      {faults.map((fault) => (
        <ErrorLine
          key={`${fault.collectionId}/${fault.file}:${fault.line}`}
          error={{ message: `${fault.file}, line ${fault.line}: ${fault.message}` }}
        />
      ))}
      <div className={styles.tableBox}>
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Kind</th>
              <th scope="col">Base address</th>
              <th scope="col">Key</th>
              <th scope="col">Credentials</th>
              <th scope="col">
                <span className={styles.hidden}>Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {environments.map((environment) => (
              <EnvironmentRow
                key={environment.id}
                environment={environment}
                onEdit={() => setEditing(environment)}
              />
            ))}
          </tbody>
        </table>
      </div>
      {editing === null ? null : (
        <EnvironmentForm
          environment={editing === 'new' ? null : editing}
          taken={environments.filter((one) => one.source !== 'collection').map((one) => one.name)}
          onClose={() => setEditing(null)}
        />
      )}
    </Section>
  );
}

function EnvironmentRow({ environment, onEdit }: { environment: Environment; onEdit: () => void }) {
  const { id, label, kind, baseUrl, keyId, hasCredentials, isActive, source } = environment;
  const selectEnvironment = useSettingsStore((state) => state.selectEnvironment);
  const deleteEnvironment = useSettingsStore((state) => state.deleteEnvironment);
  const [isAsking, setAsking] = useState(false);
  return (
    <tr>
      <th scope="row">
        <bdi>{label}</bdi> {isActive ? <Tag>in use</Tag> : null}
      </th>
      <td>
        <Tag tone={kindTones[kind]}>{kind === 'local' ? 'embedded' : kind}</Tag>
      </td>
      <td className={styles.address}>
        <CopyText text={baseUrl} label={`base address of ${label}`} />
        {environment.warning ? <small className={styles.warning}>{environment.warning}</small> : null}
      </td>
      <td>{keyId === null ? <Missing what="a key" /> : 'bound'}</td>
      <td>{hasCredentials ? 'saved' : kind === 'local' ? 'built in' : <Missing what="credentials" />}</td>
      <td className={styles.actions}>
        {isActive ? null : (
          <TextButton aria-label={`Use ${label}`} onPress={() => void selectEnvironment(id)}>
            Use
          </TextButton>
        )}
        {source === 'data' ? (
          <>
            <TextButton aria-label={`Edit ${label}`} onPress={onEdit}>
              Edit
            </TextButton>
            <TextButton aria-label={`Delete ${label}`} onPress={() => setAsking(true)}>
              Delete
            </TextButton>
          </>
        ) : (
          <span className={styles.faint}>{source === 'collection' ? 'from the collection' : 'built in'}</span>
        )}
        <ConfirmDialog
          title={`Delete the environment “${label}”?`}
          isOpen={isAsking}
          onClose={() => setAsking(false)}
          onConfirm={() => deleteEnvironment(id)}
          confirmLabel="Delete"
        >
          Requests can no longer be sent there. Its key and credentials stay in the vault until you delete
          them.
        </ConfirmDialog>
      </td>
    </tr>
  );
}

function Missing({ what }: { what: string }) {
  return <TextButton onPress={() => navigate('keys')}>{`add ${what}`}</TextButton>;
}
