import type { TeamInbox } from '@shared/contract/team';
import { useMenuCommands } from '../../../session/commands';
import { useEffect, useRef, useState } from 'react';
import { replaceRoute } from '../../../session/routes';
import { TextButton } from '../../../ui/button';
import { ConfirmDialog } from '../../../ui/form-dialog';
import { ErrorLine } from '../../../ui/error-line';
import { ForeignText } from '../../../ui/foreign-text';
import { formatExact } from '../../../ui/format-time';
import { MoreMenu } from '../../../ui/more-menu';
import { Select } from '../../../ui/select';
import { Dot } from '../../../ui/tag';
import { useInboxStore } from '../inbox-store';
import styles from '../inbox.module.css';
import { describeMarks, stateTones, stateWords } from './describe-team';
import { PasswordDialog } from './password-dialog';
import { TeamDialog } from './team-dialog';
import { LOCAL, useTeamStore } from './team-store';

/** Which inbox is on show, and how it fares; there once a team's was added, or an address named one that is no more. */
export function StoreStrip() {
  const start = useTeamStore((state) => state.start);
  const inboxes = useTeamStore((state) => state.inboxes);
  const store = useInboxStore((state) => state.store);
  const showStore = useInboxStore((state) => state.showStore);
  useEffect(() => start(), [start]);
  const shown = inboxes.find(({ id }) => id === store);
  useReturn(shown);
  if (inboxes.length === 0 && store === LOCAL) return null;
  return (
    <div className={styles.answer} role="group" aria-label="Inbox on show">
      <div className={styles.answerLine}>
        <Select
          label="Inbox"
          isLabelHidden
          className={styles.store}
          options={[
            { id: LOCAL, label: 'On this machine' },
            ...inboxes.map(({ id, name, address }) => ({ id, label: name, detail: address })),
          ]}
          selected={store}
          onSelect={(id) => {
            // What the address names is of the inbox before.
            replaceRoute('inbox');
            void showStore(id);
          }}
        />
        {shown ? <TeamState inbox={shown} /> : null}
        {shown ? <TeamMenu inbox={shown} /> : null}
      </div>
      {shown ? <TeamFacts inbox={shown} /> : null}
    </div>
  );
}

/** What came while the connection was lost is read again when it is back. */
function useReturn(shown: TeamInbox | undefined): void {
  const load = useInboxStore((state) => state.load);
  const state = shown?.state;
  const before = useRef(state);
  useEffect(() => {
    if (before.current === 'lost' && state === 'open') void load();
    before.current = state;
  }, [state, load]);
}

function TeamState({ inbox: { state, since } }: { inbox: TeamInbox }) {
  const told =
    state === 'lost' ? `${stateWords.lost} at ${formatExact(since).slice(11, 19)}` : stateWords[state];
  return (
    <span className={styles.state} role="status">
      <Dot tone={stateTones[state]} />
      {told}
    </span>
  );
}

function TeamFacts({ inbox }: { inbox: TeamInbox }) {
  const { id, state, message } = inbox;
  const showStore = useInboxStore((at) => at.showStore);
  const error = useInboxStore((at) => at.storeError);
  const [isAsking, setAsking] = useState(false);
  const marks = describeMarks(inbox);
  if (state === 'lost') {
    return (
      <ErrorLine
        error={{
          message:
            `${message ?? ''} What stands below is from before; it is connected again by itself.`.trim(),
        }}
        tone="warn"
      />
    );
  }
  if (state === 'failed' || state === 'closed') {
    const isPassword = error?.code === 'team.password_needed';
    return (
      <ErrorLine error={{ message: message ?? error?.message ?? 'This team inbox is closed.' }}>
        {isPassword ? <TextButton onPress={() => setAsking(true)}>Password…</TextButton> : null}
        <TextButton onPress={() => void showStore(id)}>
          {state === 'closed' ? 'Open' : 'Try again'}
        </TextButton>
        {isAsking ? <PasswordDialog inbox={inbox} onClose={() => setAsking(false)} /> : null}
      </ErrorLine>
    );
  }
  if (marks === null) return null;
  return (
    <div className={styles.answerLine} title={marks}>
      <span className={styles.way}>
        <ForeignText text={marks} />
      </span>
    </div>
  );
}

function TeamMenu({ inbox }: { inbox: TeamInbox }) {
  const { id, name, state } = inbox;
  const close = useTeamStore((at) => at.close);
  const remove = useTeamStore((at) => at.remove);
  const showStore = useInboxStore((at) => at.showStore);
  const [asked, setAsked] = useState<'change' | 'remove' | null>(null);
  const actions = [
    { id: 'change', label: 'Change…', onAction: () => setAsked('change') },
    {
      id: 'close',
      label: 'Close',
      obstacle: state === 'closed' && 'It is closed',
      onAction: () => void close(id).then(() => showStore(LOCAL)),
    },
    {
      id: 'remove',
      label: 'Remove…',
      isDanger: true,
      hasLineAbove: true,
      onAction: () => setAsked('remove'),
    },
  ];
  useMenuCommands('Team inbox', actions);
  return (
    <span className={styles.change}>
      <MoreMenu label="Team inbox" buttonLabel="Team inbox" actions={actions} />
      {asked === 'change' ? <TeamDialog inbox={inbox} onClose={() => setAsked(null)} /> : null}
      <ConfirmDialog
        title={`Remove “${name}” from this app?`}
        isOpen={asked === 'remove'}
        onClose={() => setAsked(null)}
        onConfirm={async () => {
          await showStore(LOCAL);
          await remove(id);
        }}
        confirmLabel="Remove"
      >
        Its address and password are forgotten here. What the team’s database holds stays as it is.
      </ConfirmDialog>
    </span>
  );
}
