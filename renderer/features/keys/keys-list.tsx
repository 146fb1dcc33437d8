import type { KeySummary } from '@shared/contract/vault';
import { readEnvironmentName } from '@shared/contract/environment-id';
import { Plus } from 'lucide-react';
import { Header } from 'react-aria-components/Header';
import { ListBox, ListBoxItem, ListBoxSection } from 'react-aria-components/ListBox';
import { useState, type ReactNode } from 'react';
import { IconButton } from '../../ui/button';
import { copyAction } from '../../ui/copy-action';
import { Menu, type MenuAction } from '../../ui/menu';
import { RowMenu } from '../../ui/row-menu';
import { PaneHeader } from '../../ui/pane-header';
import { Dot, type Tone } from '../../ui/tag';
import { DeleteDialog, RenameDialog } from './key-dialogs';
import { describeExpiry, describeVault, shortFingerprint } from './keys-selectors';
import type { KeysSection, KeysState } from './keys-state';
import { useKeysStore } from './keys-store';
import { useNow } from '../../ui/use-now';
import shared from '../../ui/side-list.module.css';
import styles from './keys.module.css';
import { ForeignText } from '../../ui/foreign-text';

interface ListRow {
  id: string;
  section: KeysSection;
  title: string;
  line: string;
  tone: Tone | null;
}

/** Everything that the vault holds, by kind. */
export function KeysList({ onGenerate, onImport }: { onGenerate: () => void; onImport: () => void }) {
  const isUnlocked = useKeysStore((state) => state.vault?.state === 'unlocked');
  const choose = useKeysStore((state) => state.choose);
  const obstacle = !isUnlocked && 'The vault is locked';
  return (
    <div className={shared.side}>
      <PaneHeader title="Keys and tokens">
        <Menu
          label="New"
          trigger={
            <IconButton label="New key">
              <Plus size={15} />
            </IconButton>
          }
          actions={[
            { id: 'generate', label: 'Generate a key…', obstacle, onAction: onGenerate },
            { id: 'import', label: 'Import a key…', obstacle, onAction: onImport },
            {
              id: 'inspect',
              label: 'Inspect any key',
              hasLineAbove: true,
              onAction: () => choose({ kind: 'inspect' }),
            },
          ]}
        />
      </PaneHeader>
      <Sections />
    </div>
  );
}

function Sections() {
  const state = useKeysStore();
  const now = useNow();
  const [asked, setAsked] = useState<Asked | null>(null);
  const close = (): void => setAsked(null);
  const groups = readGroups(state, now);
  const rows = groups.flatMap((group) => group.rows);
  // A locked vault shows itself, whatever was chosen before; only the inspection needs no vault.
  const isOpen = state.vault?.state === 'unlocked' || state.selected?.kind === 'inspect';
  const selected: KeysSection | null = isOpen
    ? (state.selected ?? rows[0]?.section ?? null)
    : { kind: 'vault' };
  const selectedId = selected && idOf(selected);
  return (
    <RowMenu
      label="Entry"
      actionsOf={(id) => {
        const row = rows.find((one) => one.id === id);
        return row ? listEntryActions(row, state, setAsked) : [];
      }}
    >
      {asked?.what === 'rename' ? <RenameDialog summary={asked.key} onClose={close} /> : null}
      {asked?.what === 'delete' ? <DeleteDialog summary={asked.key} onClose={close} /> : null}
      <ListBox
        aria-label="Keys and tokens"
        className={shared.list}
        selectionMode="single"
        disallowEmptySelection
        selectedKeys={selectedId === null ? [] : [selectedId]}
        onSelectionChange={(keys) => {
          const [first] = keys === 'all' ? [] : keys;
          const row = rows.find((one) => one.id === first);
          if (row) state.choose(row.section);
        }}
      >
        {groups.map((group) => (
          <ListBoxSection key={group.title} id={group.title}>
            <Header className={styles.group}>{group.title}</Header>
            {group.rows.map((row) => (
              <ListBoxItem key={row.id} id={row.id} textValue={row.title} className={shared.row}>
                <RowBody row={row} />
              </ListBoxItem>
            ))}
          </ListBoxSection>
        ))}
      </ListBox>
    </RowMenu>
  );
}

/** What the menu of a key asks for. */
interface Asked {
  readonly what: 'rename' | 'delete';
  readonly key: KeySummary;
}

/** What can be done with an entry from the list; a secret is never copied. */
function listEntryActions(
  { section, title }: ListRow,
  { keys, choose }: KeysState,
  ask: (asked: Asked) => void,
): MenuAction[] {
  const key = section.kind === 'key' ? keys.find(({ id }) => id === section.id) : undefined;
  return [
    { id: 'open', label: 'Open', onAction: () => choose(section) },
    // Of the others it is what the app itself calls them.
    ...(key || section.kind === 'credentials' ? [copyAction('name', 'Copy the name', title)] : []),
    ...(key
      ? [
          copyAction('fingerprint', 'Copy the fingerprint', key.fingerprint),
          copyAction('public', 'Copy the public key', key.publicKeyPem),
          {
            id: 'rename',
            label: 'Rename…',
            hasLineAbove: true,
            onAction: () => ask({ what: 'rename', key }),
          } satisfies MenuAction,
          {
            id: 'delete',
            label: 'Delete…',
            keys: 'Delete',
            isDanger: true,
            onAction: () => ask({ what: 'delete', key }),
          } satisfies MenuAction,
        ]
      : []),
  ];
}

function RowBody({ row }: { row: ListRow }): ReactNode {
  return (
    <>
      <span className={shared.rowTitle}>
        <ForeignText text={row.title} />
        {row.tone === null ? null : <Dot tone={row.tone} />}
      </span>
      <small className={shared.rowLine}>{row.line}</small>
    </>
  );
}

function idOf(section: KeysSection): string {
  switch (section.kind) {
    case 'key':
      return `key:${section.id}`;
    case 'token':
      return `token:${section.environment}/${section.product}`;
    case 'credentials':
      return `credentials:${section.environment}`;
    default:
      return section.kind;
  }
}

function readGroups(state: KeysState, now: number): { title: string; rows: ListRow[] }[] {
  const { keys, environments, credentials, tokens, vault } = state;
  const labelOf = (environment: string | null): string =>
    environment === null
      ? 'bound to no environment'
      : (environments.find(({ id }) => id === environment)?.label ?? readEnvironmentName(environment));
  const row = (section: KeysSection, title: string, line: string, tone: Tone | null = null): ListRow => ({
    id: idOf(section),
    section,
    title,
    line,
    tone,
  });
  const groups = [
    {
      title: 'Keys',
      rows: keys.map((key) =>
        row(
          { kind: 'key', id: key.id },
          key.name,
          `${labelOf(key.environment)} · ${shortFingerprint(key.fingerprint)}`,
          key.isLocked ? 'warn' : null,
        ),
      ),
    },
    {
      title: 'Credentials',
      rows: environments
        .filter((one) => one.kind !== 'local' || one.hasCredentials)
        .map((one) => {
          const saved = credentials.find((entry) => entry.environment === one.id);
          const line = saved?.isLocked ? 'cannot be opened now' : (saved?.consumerKeyMasked ?? 'none saved');
          return row(
            { kind: 'credentials', environment: one.id },
            one.label,
            line,
            saved?.isLocked ? 'warn' : null,
          );
        }),
    },
    {
      title: 'Tokens',
      rows: tokens.map(({ environment, product, expiresAt }) => {
        const expiry = describeExpiry(expiresAt, now);
        return row(
          { kind: 'token', environment, product },
          `${labelOf(environment)}, ${product}`,
          expiry.text,
          expiry.tone,
        );
      }),
    },
    {
      title: 'Vault',
      rows: [
        row(
          { kind: 'vault' },
          'Vault',
          vault ? describeVault(vault) : 'not read',
          vault?.state === 'unlocked' ? (vault.message ? 'warn' : null) : 'bad',
        ),
        row({ kind: 'inspect' }, 'Inspect any key', 'format, size, fingerprint'),
      ],
    },
  ];
  return groups.filter((group) => group.rows.length > 0);
}
