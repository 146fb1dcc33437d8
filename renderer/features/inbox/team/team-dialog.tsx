import type { MethodOutput } from '@shared/contract/contract';
import type { TeamInbox } from '@shared/contract/team';
import { useState } from 'react';
import { call } from '../../../transport/client';
import { Button } from '../../../ui/button';
import { FormDialog } from '../../../ui/form-dialog';
import { ErrorLine } from '../../../ui/error-line';
import { ForeignText } from '../../../ui/foreign-text';
import { Switch } from '../../../ui/switch';
import { Dot } from '../../../ui/tag';
import { TextField } from '../../../ui/text-field';
import { useAttempt } from '../../../ui/use-attempt';
import { useInboxStore } from '../inbox-store';
import styles from '../inbox.module.css';
import { useTeamStore } from './team-store';

/** Adds a team's inbox, or changes one. */
export function TeamDialog({ inbox, onClose }: { inbox: TeamInbox | null; onClose: () => void }) {
  const save = useTeamStore((state) => state.save);
  const showStore = useInboxStore((state) => state.showStore);
  const [name, setName] = useState(inbox?.name ?? '');
  const [address, setAddress] = useState(inbox?.address ?? '');
  const [password, setPassword] = useState('');
  const [isKept, setKept] = useState(inbox?.password !== 'session');
  const given = { address: address.trim(), ...(password === '' ? {} : { password }) };
  const known = inbox === null ? {} : { id: inbox.id };
  const submit = async (): Promise<void> => {
    const { id } = await save({ ...known, ...given, name: name.trim() || 'Team', isKept });
    void showStore(id);
  };
  return (
    <FormDialog
      title={inbox === null ? 'Add a team inbox' : 'Change this team inbox'}
      onClose={onClose}
      onSubmit={submit}
      submitLabel={inbox === null ? 'Add' : 'Save'}
      obstacle={given.address === '' && 'Enter the address'}
    >
      <TextField label="Name" value={name} onChange={setName} placeholder="Payments team" autoFocus />
      <TextField
        label="Address"
        value={address}
        onChange={setAddress}
        isCode
        placeholder="postgres://ann@db.example:5432/webhooks"
        help="User, host, port and database of PostgreSQL. ?sslrootcert=FILE names who issued its certificate."
      />
      <TextField
        label="Password"
        type="password"
        value={password}
        onChange={setPassword}
        help={
          inbox !== null && inbox.password !== 'none'
            ? 'Empty: as it is kept.'
            : 'Empty: the one in ~/.pgpass, or none.'
        }
      />
      <Switch isSelected={isKept} onChange={setKept} isDisabled={password === ''}>
        Seal the password in the vault
      </Switch>
      <ConnectionTest input={{ ...known, ...given }} />
    </FormDialog>
  );
}

type Facts = MethodOutput<'team.test'>['facts'];

function ConnectionTest({ input }: { input: { id?: string; address: string; password?: string } }) {
  const [facts, setFacts] = useState<Facts | null>(null);
  const { error, isBusy, run } = useAttempt();
  const test = (): Promise<void> =>
    run(async () => {
      setFacts(null);
      setFacts((await call('team.test', input)).facts);
    });
  return (
    <div role="status" className={styles.test}>
      <Button
        onPress={() => void test()}
        obstacle={input.address === '' && 'Enter the address'}
        isPending={isBusy}
      >
        Test the connection
      </Button>
      {facts?.map(({ tone, text }) => (
        <p key={text} className={styles.told}>
          <Dot tone={tone} /> <ForeignText text={text} />
        </p>
      ))}
      {error ? <ErrorLine error={error} /> : null}
    </div>
  );
}
