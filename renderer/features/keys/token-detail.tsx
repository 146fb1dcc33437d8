import { readEnvironmentName } from '@shared/contract/environment-id';
import { type ReactNode } from 'react';
import { Button, TextButton } from '../../ui/button';
import { CopyText } from '../../ui/copy-text';
import { EmptyState } from '../../ui/empty-state';
import { ErrorLine } from '../../ui/error-line';
import { formatExact } from '../../ui/format-time';
import { FactList, PaneHeader } from '../../ui/pane-header';
import { Tag } from '../../ui/tag';
import { useAttempt } from '../../ui/use-attempt';
import { describeClaim, describeExpiry, type TokenSummary } from './keys-selectors';
import type { KeysSection } from './keys-state';
import { useKeysStore } from './keys-store';
import { useNow } from '../../ui/use-now';
import { ForeignText } from '../../ui/foreign-text';
import styles from './keys.module.css';
import column from '../../ui/column.module.css';

/** One token, decoded. The whole of it stands here only when asked for, for ten seconds. */
export function TokenDetail({ section }: { section: Extract<KeysSection, { kind: 'token' }> }) {
  const { environment, product } = section;
  const token = useKeysStore((state) =>
    state.tokens.find((one) => one.environment === environment && one.product === product),
  );
  const label = useKeysStore(
    (state) =>
      state.environments.find(({ id }) => id === environment)?.label ?? readEnvironmentName(environment),
  );
  const fetchToken = useKeysStore((state) => state.fetchToken);
  const forgetToken = useKeysStore((state) => state.forgetToken);
  const { error, run } = useAttempt();
  const attempt = (act: () => Promise<void>) => (): void => void run(act);
  if (!token) {
    return (
      <EmptyState
        title="This token is forgotten"
        action={
          <Button onPress={attempt(() => fetchToken(environment, product, false))}>Fetch a new one</Button>
        }
      >
        {error ? error.message : null}
      </EmptyState>
    );
  }
  return (
    <div className={column.scroll}>
      <PaneHeader title={<span>{`Token of ${product}, ${label}`}</span>} isSubject>
        <TextButton onPress={attempt(() => fetchToken(environment, product, true))}>
          Fetch a new one
        </TextButton>
        <TextButton className={styles.danger} onPress={attempt(() => forgetToken(environment, product))}>
          Forget
        </TextButton>
      </PaneHeader>
      {error ? <ErrorLine error={error} className={styles.fault} /> : null}
      <TokenFacts token={token} />
      <Whole token={token} run={run} />
      <div className={styles.parts}>
        <Part title="Header" entries={token.header} />
        <Part title="Claims" entries={token.claims} />
      </div>
    </div>
  );
}

function TokenFacts({ token }: { token: TokenSummary }) {
  const expiry = describeExpiry(token.expiresAt, useNow());
  const at = (instant: number | null): ReactNode =>
    instant === null ? '–' : formatExact(instant).slice(0, 19);
  return (
    <FactList
      facts={[
        { label: 'Expiry', value: <Tag tone={expiry.tone}>{expiry.text}</Tag> },
        { label: 'Issued', value: at(token.issuedAt) },
        { label: 'Expires', value: at(token.expiresAt) },
        { label: 'Product', value: token.product },
      ]}
    />
  );
}

function Whole({ token, run }: { token: TokenSummary; run: ReturnType<typeof useAttempt>['run'] }) {
  const revealToken = useKeysStore((state) => state.revealToken);
  const hideToken = useKeysStore((state) => state.hideToken);
  const revealed = useKeysStore((state) =>
    state.revealed?.environment === token.environment && state.revealed.product === token.product
      ? state.revealed
      : null,
  );
  const now = useNow();
  const left = revealed ? Math.max(1, Math.ceil((revealed.hideAt - now) / 1000)) : 0;
  const show = (): void => void run(() => revealToken(token.environment, token.product));
  return (
    <section className={styles.block} aria-label="Token">
      <header className={styles.blockHead}>
        <h3>Token</h3>
        {revealed ? (
          <TextButton onPress={hideToken}>{`Hide (${left} s)`}</TextButton>
        ) : (
          <TextButton onPress={show}>Show it for ten seconds</TextButton>
        )}
      </header>
      {revealed ? (
        <div className={styles.whole}>
          <CopyText text={revealed.token} label="token" className={styles.wholeText} />
        </div>
      ) : (
        <code className={styles.masked}>
          <ForeignText text={token.masked} />
        </code>
      )}
    </section>
  );
}

function Part({ title, entries }: { title: string; entries: Record<string, unknown> }) {
  const rows = Object.entries(entries);
  return (
    <section className={styles.block} aria-label={title}>
      <h3 className={styles.blockHead}>{title}</h3>
      {rows.length === 0 ? <p className={styles.hint}>Nothing could be decoded.</p> : null}
      <dl className={styles.claims}>
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>
              <ForeignText text={name} />
            </dt>
            <dd>
              <ForeignText text={describeClaim(name, value)} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
