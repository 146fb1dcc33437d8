import type { Environment } from '@shared/contract/environments';
import { useState } from 'react';
import { selectEnvironment, useEnvironments } from '../../session/environments';
import { navigate, replaceRoute, routeHref } from '../../session/routes';
import { listChanged, noteUnsaved, useUnsaved } from '../../session/unsaved';
import { Button, TextButton } from '../../ui/button';
import { CopyText } from '../../ui/copy-text';
import { cx } from '../../ui/cx';
import { ErrorLine } from '../../ui/error-line';
import { FactList, PaneHeader } from '../../ui/pane-header';
import { Tag } from '../../ui/tag';
import { useAttempt } from '../../ui/use-attempt';
import { BasicFields } from './basic-fields';
import { ConnectionFields } from './connection-fields';
import { checkDraft, describeFaults, formOf, toDraft } from './environment-draft';
import type { FieldsProps } from './fields-props';
import { DeleteDialog } from './delete-dialog';
import { useEnvironmentsStore } from './environments-store';
import { followSaved, type TypedEnvironment } from './follow-saved';
import { bringUpToDate, findFollowed } from './keep-typed';
import { IdentityFields } from './identity-fields';
import { ProfileFields } from './profile-fields';
import { SessionValues } from './session-values';
import { VariablesField } from './variables-field';
import styles from './environments.module.css';
import { ForeignText } from '../../ui/foreign-text';

/** One environment, all of it in one form; a new one where there is none yet. */
export function EnvironmentDetail({ environment }: { environment: Environment | null }) {
  const follows = useEnvironments((state) => findFollowed(state.environments));
  return (
    <>
      <Head environment={environment} />
      {environment?.warning ? (
        <ErrorLine tone="warn" className={styles.fault} error={{ message: environment.warning }} />
      ) : null}
      {environment?.addressChange ? <ChangedAddress environment={environment} /> : null}
      {environment !== null && (environment.source === 'builtin' || environment.source === 'run') ? (
        <Known environment={environment} />
      ) : (
        <EnvironmentForm environment={environment} follows={follows} />
      )}
      {environment ? <SessionValues environment={environment} /> : null}
    </>
  );
}

/** The sandbox of this app: nothing of it is set up by hand. */
function Known({ environment: { baseUrl, variables } }: { environment: Environment }) {
  const callback = variables['callback_url'] ?? '';
  return (
    <>
      <p className={styles.note}>
        The sandbox of this app: its address, credentials and token call are known. It needs no setting up.
      </p>
      <FactList
        facts={[
          { label: 'Base address', value: <CopyText text={baseUrl} label="base address" /> },
          {
            label: 'Callback address',
            value: callback === '' ? 'none' : <CopyText text={callback} label="callback address" />,
          },
          {
            label: 'Service of your own',
            value: <a href={routeHref('environments', 'new')}>Add an environment…</a>,
          },
        ]}
      />
    </>
  );
}

function Head({ environment }: { environment: Environment | null }) {
  const [isAsking, setAsking] = useState(false);
  if (environment === null) return <PaneHeader title="New environment" className={styles.head} />;
  const { id, label, kind, source, isActive } = environment;
  return (
    <PaneHeader
      isSubject
      className={cx(kind === 'production' && styles.production)}
      title={
        <span className={styles.name}>
          <ForeignText text={label} />
          {kind === 'production' ? <Tag tone="bad">production</Tag> : null}
          {isActive ? <Tag>in use</Tag> : null}
          {source === 'collection' ? <Tag>from the collection</Tag> : null}
        </span>
      }
    >
      {isActive ? null : (
        <TextButton aria-label={`Use ${label}`} onPress={() => void selectEnvironment(id)}>
          Use
        </TextButton>
      )}
      {source === 'data' ? (
        <TextButton aria-label={`Delete ${label}`} className={styles.danger} onPress={() => setAsking(true)}>
          Delete…
        </TextButton>
      ) : null}
      {isAsking ? <DeleteDialog environment={environment} onClose={() => setAsking(false)} /> : null}
    </PaneHeader>
  );
}

function ChangedAddress({ environment: { id, label, addressChange } }: { environment: Environment }) {
  return (
    <ErrorLine
      className={styles.fault}
      error={{
        message: `What is kept for it is for ${addressChange?.from ?? 'no address that is known'}: nothing is sent.`,
      }}
    >
      <TextButton aria-label={`Bind ${label} again`} onPress={() => navigate('environments', `bind/${id}`)}>
        Bind again…
      </TextButton>
    </ErrorLine>
  );
}

function Values({ environment, draft, change }: FieldsProps) {
  if (environment?.source === 'collection') return null;
  return (
    <section className={styles.block} aria-label="Values">
      <h3 className={styles.blockHead}>Values</h3>
      <VariablesField
        environment={environment}
        text={draft.variables}
        onText={(variables) => change({ variables })}
        inClear={draft.inClear}
        onInClear={(inClear) => change({ inClear })}
      />
    </section>
  );
}

function EnvironmentForm({
  environment,
  follows,
}: {
  environment: Environment | null;
  follows: string | null;
}) {
  const save = useEnvironmentsStore((state) => state.save);
  const environments = useEnvironments((state) => state.environments);
  const saved = toDraft(environment, follows);
  // What was not touched is as it is saved, whatever that becomes meanwhile.
  const [edited, setEdited] = useUnsaved<TypedEnvironment>(formOf(environment));
  const { error, isBusy: isSaving, run, clear } = useAttempt();
  const draft = followSaved(edited ?? {}, saved);
  const taken = environments
    .filter(({ source, name }) => source !== 'collection' && name !== environment?.name)
    .map(({ name }) => name);
  const faults = environment?.source === 'collection' ? {} : checkDraft(draft, taken);
  const canSave = edited !== null && Object.keys(faults).length === 0 && !isSaving;
  const hindrance = edited === null ? null : describeFaults(faults);
  const submit = (): Promise<void> =>
    run(async () => {
      const saving = await bringUpToDate(environment, edited ?? {});
      // Deleted since: what was typed stands in the form of a new one now, and says so.
      if (saving === null) return;
      const id = await save(saving.draft, saving.environment);
      setEdited(null);
      noteUnsaved(formOf({ id }), null);
      replaceRoute('environments', `show/${id}`);
    });
  const discard = (): void => {
    setEdited(null);
    clear();
    if (environment === null) replaceRoute('environments');
  };
  const fields: FieldsProps = {
    draft,
    faults: edited === null ? {} : faults,
    environment,
    change(change) {
      const changed = listChanged({ ...draft, ...change }, saved);
      setEdited(changed && { ...changed, over: saved });
    },
  };
  return (
    <form
      className={styles.form}
      autoComplete="off"
      aria-label={environment ? `Environment ${environment.label}` : 'New environment'}
      onSubmit={(event) => {
        event.preventDefault();
        if (canSave) void submit();
      }}
    >
      {draft.deleted === undefined ? null : <DeletedElsewhere label={draft.deleted} />}
      <BasicFields {...fields} />
      <IdentityFields {...fields} />
      <ConnectionFields {...fields} />
      <ProfileFields {...fields} />
      <Values {...fields} />
      <div className={styles.save}>
        <Button
          type="submit"
          variant="primary"
          isDisabled={!canSave}
          obstacle={environment && !edited ? 'Nothing is changed' : describeFaults(faults)}
        >
          {environment ? 'Save' : 'Add'}
        </Button>
        {environment === null || edited !== null ? (
          <Button onPress={discard}>{environment === null ? 'Cancel' : 'Discard'}</Button>
        ) : null}
        {hindrance ? <span className={styles.hint}>{hindrance}</span> : null}
        {error ? <ErrorLine error={error} /> : null}
      </div>
    </form>
  );
}

function DeletedElsewhere({ label }: { label: string }) {
  const message =
    `“${label}” was deleted elsewhere. What it was and what you typed stands here, and can be added anew; ` +
    'its secrets have to be entered again.';
  return <ErrorLine tone="warn" className={styles.fault} error={{ message }} />;
}
