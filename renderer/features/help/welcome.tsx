import { useAppStatus } from '../../session/app-status';
import { askToImport } from '../../session/asked-import';
import { navigate } from '../../session/routes';
import { useShownKeys } from '../../panels/shown-keys';
import { beginTask } from '../../session/tasks';
import { Button, TextButton } from '../../ui/button';
import { CopyText } from '../../ui/copy-text';
import { EmptyView, type FirstStep } from '../../ui/empty-view';
import styles from './help.module.css';
import { mainButton } from '../../ui/main-button';

/** What to do first. Each step does it, or goes to the very place. */
export function Welcome() {
  const isLocal = useAppStatus((state) => state.status?.environment.kind !== 'production');
  const sandboxUrl = useAppStatus((state) => state.status?.sandbox.baseUrl ?? null);
  const steps: FirstStep[] = [
    {
      title: 'Send the first payout',
      text: 'Signed with a key of this machine and sent to its own sandbox. The webhook is in the inbox two seconds later.',
      action: mainButton(isLocal ? 'Send it' : 'Open it', () => beginTask('sendFirst')),
    },
    {
      title: 'Point your backend at the sandbox',
      text:
        sandboxUrl === null ? (
          'The sandbox does not run now: its view starts it.'
        ) : (
          <>
            The whole payments service, at <CopyText text={sandboxUrl} label="sandbox address" />
          </>
        ),
      action: <Button onPress={() => beginTask('pointBackend')}>Show how</Button>,
    },
    {
      title: 'Explain a signature',
      text: 'The doctor says what was signed in place of the right string. It begins with an example.',
      action: <Button onPress={() => beginTask('explainExample')}>Explain one</Button>,
    },
    {
      title: 'Open a folder',
      text: (
        <>
          Requests are .http files in a folder of yours.{' '}
          <TextButton onPress={() => askToImport({})}>Or import them</TextButton> from Postman, OpenAPI, curl
          …
        </>
      ),
      action: <Button onPress={() => beginTask('openFolder')}>Open a folder</Button>,
    },
  ];
  return (
    <div className={styles.welcome}>
      <EmptyView title="Welcome to Countersign" steps={steps}>
        A payments service, a key, an inbox and a collection stand ready on this machine. No account, and no
        call that you did not ask for.
      </EmptyView>
      <ByKeys />
    </div>
  );
}

function ByKeys() {
  const palette = useShownKeys('palette');
  return (
    <p className={styles.byKeys}>
      {palette === undefined ? null : (
        <>
          <kbd>{palette}</kbd> finds everything by its name.{' '}
        </>
      )}
      <TextButton onPress={() => navigate('help', 'shortcuts')}>All keyboard shortcuts</TextButton> · This
      page stands under Help.
    </p>
  );
}
