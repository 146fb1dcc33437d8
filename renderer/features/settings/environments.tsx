import type { Environment } from '@shared/contract/environments';
import { useState } from 'react';
import { navigate, replaceRoute, useRoute } from '../../session/routes';
import { Button, TextButton } from '../../ui/button';
import { CopyText } from '../../ui/copy-text';
import { ConfirmDialog } from '../../ui/dialog';
import { ErrorLine } from '../../ui/error-line';
import { Tag, type Tone } from '../../ui/tag';
import { BindAddressDialog } from './bind-address';
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
  const [binding, setBinding] = useBinding(environments);
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
                onBind={() => setBinding(environment.id)}
              />
            ))}
          </tbody>
        </table>
      </div>
      {binding ? <BindAddressDialog environment={binding} onClose={() => setBinding(null)} /> : null}
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

/** `#/settings/bind/<environment>` asks about that one: errors elsewhere lead there. */
function useBinding(
  environments: readonly Environment[],
): [Environment | undefined, (id: string | null) => void] {
  const asked = useRoute(({ view, rest }) =>
    view === 'settings' ? /^bind\/(.+)$/s.exec(rest)?.[1] : undefined,
  );
  const found = environments.find(({ id, addressChange }) => id === asked && addressChange !== null);
  return [found, (id) => replaceRoute('settings', id === null ? '' : `bind/${id}`)];
}

function EnvironmentRow({
  environment,
  onEdit,
  onBind,
}: {
  environment: Environment;
  onEdit: () => void;
  onBind: () => void;
}) {
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
        {environment.addressChange ? <ChangedAddress environment={environment} onBind={onBind} /> : null}
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
          Requests can no longer be sent there. Its secret variables are deleted, too; its key and credentials
          stay in the vault until you delete them.
        </ConfirmDialog>
      </td>
    </tr>
  );
}

function ChangedAddress({ environment, onBind }: { environment: Environment; onBind: () => void }) {
  const { label, addressChange } = environment;
  return (
    <small className={styles.warning}>
      What is kept for it is for {addressChange?.from ?? 'no address that is known'}: nothing is sent.{' '}
      <TextButton aria-label={`Bind ${label} again`} onPress={onBind}>
        Bind again…
      </TextButton>
    </small>
  );
}

function Missing({ what }: { what: string }) {
  return <TextButton onPress={() => navigate('keys')}>{`add ${what}`}</TextButton>;
}
