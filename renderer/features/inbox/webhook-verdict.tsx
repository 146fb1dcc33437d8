import { findOtherSignature } from '@shared/webhooks/other-signature';
import { TextButton } from '../../ui/button';
import { ErrorLine } from '../../ui/error-line';
import type { Explained, WebhookDetail } from './inbox-state';
import { useInboxStore } from './inbox-store';
import styles from './inbox.module.css';

/** Whether its signature fits, in a word or two. */
export function WebhookVerdict({ webhook: { verdict, verdictReason, headers } }: { webhook: WebhookDetail }) {
  if (verdict === null) return 'not looked at';
  if (verdict === 'unsigned') {
    const other = findOtherSignature(headers);
    if (other === null) return 'none';
    const why = `There is no webhook-signature. ${other} is another scheme’s, and was not looked at.`;
    return <span title={why}>{`another scheme’s: ${other}`}</span>;
  }
  return (
    <span className={verdict === 'invalid' ? styles.bad : undefined} title={verdictReason ?? undefined}>
      {verdict}
    </span>
  );
}

/** Why its signature is not valid, and when somebody asks what its sender did otherwise. */
export function WhySignature({ webhook }: { webhook: WebhookDetail }) {
  const explained = useInboxStore((state) => state.explained);
  const explainSignature = useInboxStore((state) => state.explainSignature);
  return <SignatureRemark webhook={webhook} explained={explained} onAsk={() => void explainSignature()} />;
}

/** The same of what is given. */
export function SignatureRemark({
  webhook,
  explained,
  onAsk,
}: {
  webhook: WebhookDetail;
  explained: Explained | null;
  onAsk(): void;
}) {
  const { verdict, verdictReason, isKeptCut } = webhook;
  if (verdict !== 'invalid' && verdict !== 'unchecked') return null;
  const what = verdict === 'invalid' ? 'Its signature is not valid.' : 'Its signature was not verified.';
  const message = verdictReason === null ? what : `${what} ${verdictReason}`;
  if (explained === null) {
    return (
      <ErrorLine error={{ message }} tone="warn" isApart>
        {isKeptCut ? null : (
          <TextButton onPress={onAsk}>
            {verdict === 'invalid' ? 'What did its sender do otherwise?' : 'Verify it now'}
          </TextButton>
        )}
      </ErrorLine>
    );
  }
  if (explained === 'looking') {
    const looking = `${message} Looking for what its sender did otherwise…`;
    return <ErrorLine error={{ message: looking }} tone="warn" isApart />;
  }
  if ('error' in explained) return <ErrorLine error={explained.error} isApart />;
  const told = `By the secret of the sandbox here: ${explained.reason ?? `${explained.verdict}.`}`;
  return (
    <div role="status">
      <ErrorLine error={{ message: told }} tone="warn" isApart />
    </div>
  );
}
