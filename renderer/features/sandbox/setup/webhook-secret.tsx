import { useEffect } from 'react';
import { TextButton } from '../../../ui/button';
import { CopyText } from '../../../ui/copy-text';
import { ErrorLine } from '../../../ui/error-line';
import { useAttempt } from '../../../ui/use-attempt';
import { useSandboxStore } from '../sandbox-store';
import shared from '../../../panels/exchange-pane.module.css';
import styles from '../sandbox.module.css';

/** What receivers verify signed webhooks with: hidden until asked for, then for ten seconds. */
export function WebhookSecret({ isSigning }: { isSigning: boolean }) {
  const secret = useSandboxStore((store) => store.webhookSecret);
  const reveal = useSandboxStore((store) => store.revealWebhookSecret);
  const hide = useSandboxStore((store) => store.hideWebhookSecret);
  const { error, run } = useAttempt();
  useEffect(() => hide, [hide]);
  if (!isSigning) {
    return (
      <p className={shared.small}>Once they are signed, the secret that receivers verify with stands here.</p>
    );
  }
  return (
    <>
      <p className={styles.secret}>
        <span className={shared.small}>Receivers verify with</span>
        {secret === null ? (
          <>
            <code>whsec_••••••••</code>
            <TextButton onPress={() => void run(reveal)}>Show it for ten seconds</TextButton>
          </>
        ) : (
          <>
            <CopyText text={secret} label="webhook secret" />
            <TextButton onPress={hide}>Hide</TextButton>
          </>
        )}
      </p>
      {error ? <ErrorLine error={error} /> : null}
    </>
  );
}
