import { Plus } from 'lucide-react';
import { useEffect, useState } from 'react';
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox';
import type { Environment } from '@shared/contract/environments';
import { useAppStatus } from '../../session/app-status';
import { toneOfKind } from '../../panels/environment-tone';
import { listDistinct } from '../../session/environment-options';
import { loadEnvironments, selectEnvironment, useEnvironments } from '../../session/environments';
import { navigate, replaceRoute, useRoute } from '../../session/routes';
import { useViewTask } from '../../session/tasks';
import { useHasUnsaved } from '../../session/unsaved';
import { IconButton } from '../../ui/button';
import { ErrorLine } from '../../ui/error-line';
import { LoadError } from '../../ui/load-error';
import { copyAction } from '../../ui/copy-action';
import type { MenuAction } from '../../ui/menu';
import { RowMenu } from '../../ui/row-menu';
import { PaneHeader } from '../../ui/pane-header';
import { Skeleton } from '../../ui/spinner';
import { SplitPane } from '../../ui/split-pane';
import { Dot, Tag } from '../../ui/tag';
import { BindAddressDialog } from './bind-address';
import { DeleteDialog } from './delete-dialog';
import { formOf } from './environment-draft';
import { EnvironmentDetail } from './environment-detail';
import { useEnvironmentsStore } from './environments-store';
import shared from '../../ui/side-list.module.css';
import styles from './environments.module.css';
import { ForeignText } from '../../ui/foreign-text';
import { cx } from '../../ui/cx';
import column from '../../ui/column.module.css';

/** Where requests go: each environment with all that is known of it. */
export function EnvironmentsView() {
  const start = useEnvironmentsStore((state) => state.start);
  useEffect(() => start(), [start]);
  useViewTask('addEnvironment', () => replaceRoute('environments', 'new'));
  return (
    <>
      <SplitPane
        id="environments"
        panes={[
          {
            id: 'environments-list',
            label: 'Environments',
            content: <EnvironmentList />,
            defaultSize: 260,
            minSize: 200,
            isFixed: true,
          },
          {
            id: 'environments-detail',
            label: 'Details',
            content: <Detail />,
            defaultSize: '70%',
            minSize: 420,
          },
        ]}
      />
      <AskedBinding />
    </>
  );
}

/** What the address says: `new`, or the one that is shown; else the one in use. */
function useShown(): { isNew: boolean; environment: Environment | undefined } {
  const rest = useRoute((route) => (route.view === 'environments' ? route.rest : ''));
  const environments = useEnvironments((state) => state.environments);
  const asked = rest.replace(/^(?:show|bind)\//, '');
  const found = environments.find(({ id }) => id === asked) ?? environments.find(({ isActive }) => isActive);
  return { isNew: rest === 'new', environment: found };
}

/** The row of one that is typed and not added yet; no environment is called so. */
const beginning = '';

/** Beside what holds something typed that is not saved. */
function Unsaved({ form }: { form: string }) {
  return useHasUnsaved(form) ? <span className={styles.unsaved} role="img" aria-label="not saved" /> : null;
}

function EnvironmentList() {
  const environments = useEnvironments((state) => state.environments);
  const sandbox = useAppStatus((state) => state.status?.sandbox.state ?? 'stopped');
  const { isNew, environment } = useShown();
  const [deleting, setDeleting] = useState<Environment | null>(null);
  const isNewBegun = useHasUnsaved(formOf(null));
  return (
    <div className={shared.side}>
      <PaneHeader title="Environments">
        <IconButton label="Add an environment" onPress={() => navigate('environments', 'new')}>
          <Plus size={15} />
        </IconButton>
      </PaneHeader>
      <RowMenu
        label="Environment"
        actionsOf={(id) => {
          const row = environments.find((one) => one.id === id);
          return row ? listActions(row, setDeleting) : [];
        }}
      >
        <ListBox
          aria-label="Environments"
          className={shared.list}
          selectionMode="single"
          disallowEmptySelection
          selectedKeys={isNew ? [beginning] : environment === undefined ? [] : [environment.id]}
          onSelectionChange={(keys) => {
            const [first] = keys === 'all' ? [] : keys;
            if (first !== undefined)
              replaceRoute('environments', first === beginning ? 'new' : `show/${String(first)}`);
          }}
        >
          {listDistinct(environments, environment?.id).map((one) => (
            <ListBoxItem
              key={one.id}
              id={one.id}
              textValue={one.label}
              className={cx(shared.row, styles.row)}
            >
              <span className={shared.rowTitle}>
                <Dot tone={toneOfKind(one.kind, sandbox)} />
                <ForeignText text={one.label} />
                <Unsaved form={formOf(one)} />
                {one.isActive ? <Tag>in use</Tag> : null}
                {one.kind === 'production' ? <Tag tone="bad">production</Tag> : null}
              </span>
              <span className={shared.rowLine}>
                <ForeignText text={one.baseUrl || 'no address yet'} />
              </span>
            </ListBoxItem>
          ))}
          {isNewBegun ? (
            <ListBoxItem
              id={beginning}
              textValue="New environment, not saved"
              className={cx(shared.row, styles.row)}
            >
              <span className={shared.rowTitle}>
                New environment
                <Unsaved form={formOf(null)} />
              </span>
              <span className={shared.rowLine}>not added yet</span>
            </ListBoxItem>
          ) : null}
        </ListBox>
      </RowMenu>
      {deleting ? <DeleteDialog environment={deleting} onClose={() => setDeleting(null)} /> : null}
    </div>
  );
}

function listActions(environment: Environment, onDelete: (one: Environment) => void): MenuAction[] {
  const { id, label, baseUrl, source, isActive } = environment;
  return [
    { id: 'open', label: 'Open', onAction: () => replaceRoute('environments', `show/${id}`) },
    {
      id: 'use',
      label: 'Use',
      obstacle: isActive && 'It is in use',
      onAction: () => void selectEnvironment(id),
    },
    copyAction('name', 'Copy the name', label),
    copyAction('address', 'Copy the address', baseUrl === '' ? null : baseUrl),
    ...(source === 'data'
      ? [
          {
            id: 'delete',
            label: 'Delete…',
            keys: 'Delete',
            isDanger: true,
            onAction: () => onDelete(environment),
          },
        ]
      : []),
  ];
}

function Detail() {
  const { isNew, environment } = useShown();
  const isLoaded = useEnvironments((state) => state.isLoaded);
  const error = useEnvironments((state) => state.error);
  const faults = useEnvironments((state) => state.faults);
  if (!isLoaded) return <Skeleton lines={6} />;
  return (
    // Another environment begins at its top.
    <div key={isNew ? 'new' : environment?.id} className={cx(column.scroll, styles.detail)}>
      <LoadError error={error} className={styles.fault} onRetry={loadEnvironments} />
      {faults.map((fault) => (
        <ErrorLine
          key={`${fault.collectionId}/${fault.file}:${fault.line}`}
          className={styles.fault}
          error={{
            message: fault.line === 0 ? fault.message : `${fault.file}, line ${fault.line}: ${fault.message}`,
          }}
        />
      ))}
      {isNew ? (
        <EnvironmentDetail environment={null} />
      ) : environment ? (
        <EnvironmentDetail environment={environment} />
      ) : null}
    </div>
  );
}

/** `#/environments/bind/<environment>` asks about that one: errors elsewhere lead there. */
function AskedBinding() {
  const environments = useEnvironments((state) => state.environments);
  const asked = useRoute(({ view, rest }) =>
    view === 'environments' ? /^bind\/(.+)$/s.exec(rest)?.[1] : undefined,
  );
  const found = environments.find(({ id, addressChange }) => id === asked && addressChange !== null);
  if (found === undefined) return null;
  return (
    <BindAddressDialog environment={found} onClose={() => replaceRoute('environments', `show/${found.id}`)} />
  );
}
