import type { SandboxCheck, SandboxRequestDetail } from '@shared/contract/sandbox';
import { Check, Minus, X } from 'lucide-react';
import { SignedString } from '../../../panels/signed-string';
import { MessageParts } from '../../../panels/message-parts';
import { navigate } from '../../../session/routes';
import { Button, TextButton } from '../../../ui/button';
import { CopyText } from '../../../ui/copy-text';
import { cx } from '../../../ui/cx';
import { EmptyState } from '../../../ui/empty-state';
import { EmptyView } from '../../../ui/empty-view';
import { LoadError } from '../../../ui/load-error';
import { formatDuration } from '../../../ui/format-time';
import { Skeleton } from '../../../ui/spinner';
import { Tag } from '../../../ui/tag';
import { describeVerdict, isRefused } from '../sandbox-selectors';
import { useSandboxStore } from '../sandbox-store';
import shared from '../../../panels/exchange-pane.module.css';
import styles from '../sandbox.module.css';
import { ExplainedSignature } from './explained-signature';
import { ForeignText } from '../../../ui/foreign-text';
import { mainButton } from '../../../ui/main-button';

/** One request of the log: why it was answered so, the checks in their order, and both messages. */
export function RequestPane() {
  const requestId = useSandboxStore((store) => store.requestId);
  const request = useSandboxStore((store) => store.request);
  const error = useSandboxStore((store) => store.explanationError);
  const openRequest = useSandboxStore((store) => store.openRequest);
  const showTab = useSandboxStore((store) => store.showTab);
  const hasNone = useSandboxStore((store) => store.state?.requests.length === 0);
  if (requestId === null) {
    if (hasNone) return <NoRequests />;
    return (
      <EmptyState title="No request chosen">
        Choose one to read which checks it passed and why it was answered as it was.{' '}
        <TextButton onPress={() => showTab('outcomes')}>Outcomes by account</TextButton>
      </EmptyState>
    );
  }
  if (error) return <LoadError error={error} isApart onRetry={() => openRequest(requestId)} />;
  if (request === null) return <Skeleton lines={5} />;
  return (
    <div className={shared.detail} key={request.id}>
      <Verdict request={request} />
      <ReceivedString request={request} />
      <Checks checks={request.checks} />
      <MessageParts
        request={request.request}
        answer={request.answer}
        query={request.query}
        keptBytes={keptBodyBytes}
      />
    </div>
  );
}

/** Of each body, by the sandbox. */
const keptBodyBytes = 64 * 1024;

function Verdict({ request }: { request: SandboxRequestDetail }) {
  const explanation = useSandboxStore((store) => store.explanation);
  const { text, tone } = describeVerdict(request.verdict);
  return (
    <div className={shared.verdict}>
      <span className={shared.tags}>
        <Tag tone={tone}>{text}</Tag>
        <Tag>{`HTTP ${request.httpStatus} in ${formatDuration(request.durationMs)}`}</Tag>
        {request.answer.isDropped ? <Tag tone="warn">connection dropped</Tag> : null}
      </span>
      <p className={isRefused(request.verdict) ? shared.headline : shared.calm}>
        <ForeignText text={explanation?.explanation ?? request.reason ?? text} />
      </p>
      <p className={shared.small}>
        X-Request-Id <CopyText text={request.id} label="request id" />
      </p>
      {request.fieldErrors.length > 0 ? (
        <dl className={styles.fieldErrors}>
          {request.fieldErrors.map((one, index) => (
            <div key={index}>
              <dt>
                <ForeignText text={one.field} />
              </dt>
              <dd>
                <ForeignText text={one.message} />
              </dd>
            </div>
          ))}
        </dl>
      ) : null}
    </div>
  );
}

/** What should have been signed; for a refused signature byte by byte, with what the doctor found. */
function ReceivedString({ request: { stringToSign, request, at } }: { request: SandboxRequestDetail }) {
  const signature = useSandboxStore((store) => store.explanation?.signature ?? null);
  const publicKeys = useSandboxStore((store) => store.state?.publicKeys);
  if (signature !== null) return <ExplainedSignature signature={signature} at={at} />;
  if (stringToSign === null) return null;
  const keys = { publicKeyPems: publicKeys?.map(({ pem }) => pem) ?? [] };
  return <SignedString {...{ stringToSign, request, at, keys }} keeper="the sandbox" />;
}

const exampleChecks: readonly SandboxCheck[] = [
  { id: 'token', label: 'Bearer token', state: 'passed', message: 'payout, 52 min left' },
  { id: 'signature', label: 'Signature', state: 'failed', message: 'signed with “|” between the fields' },
  { id: 'fields', label: 'Fields', state: 'not_reached', message: '' },
];

/** The log before the first request. */
function NoRequests() {
  const showTab = useSandboxStore((store) => store.showTab);
  return (
    <EmptyView
      title="No request yet"
      steps={[
        {
          title: 'Send a payout or a remittance',
          text: 'What the sandbox checked, in its order, stands here at once.',
          action: mainButton('Open Requests', () => navigate('requests')),
        },
        {
          title: 'Or let your backend send one',
          text: 'Address, credentials and key registration, ready to copy.',
          action: <Button onPress={() => showTab('backend')}>Your backend</Button>,
        },
      ]}
      example={<Checks checks={exampleChecks} />}
    >
      Every request to the sandbox is kept with its checks, both bodies and the string that should have been
      signed.
    </EmptyView>
  );
}

const marks = {
  passed: { icon: Check, word: 'passed', className: styles.checkPassed },
  failed: { icon: X, word: 'failed', className: styles.checkFailed },
  not_reached: { icon: Minus, word: 'not reached', className: styles.checkUnreached },
} as const;

function Checks({ checks }: { checks: readonly SandboxCheck[] }) {
  return (
    <ol className={styles.checks} aria-label="Checks in their order">
      {checks.map(({ id, label, state, message }) => {
        const { icon: Icon, word, className } = marks[state];
        return (
          <li key={id} className={cx(styles.check, className)} data-state={state}>
            <Icon size={13} aria-label={word} role="img" />
            <span>{label}</span>
            <ForeignText text={message} />
          </li>
        );
      })}
    </ol>
  );
}
