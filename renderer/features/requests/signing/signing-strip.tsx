import type { Environment } from '@shared/contract/environments';
import type { SignedFieldName } from '@shared/contract/common';
import { findHeader } from '@shared/find-header';
import { useEffect } from 'react';
import { handOverToLab } from '../../../session/handover';
import { TextButton } from '../../../ui/button';
import { CopyButton, CopyText } from '../../../ui/copy-text';
import { ErrorLine } from '../../../ui/error-line';
import { later } from '../../../ui/later';
import { StringToSignSpans } from '../../../ui/string-to-sign-spans';
import { ErrorWays } from '../response/later-error-ways';
import { describeUnsigned } from './describe-unsigned';
import { KeyMenu } from './key-menu';
import { unresolvedCode } from '../editor/mark-unresolved';
import { ProblemList } from '../editor/problem-list';
import type { BodyProblem, RequestInsight } from '../editor/inspect-request';
import { updateTab, useRequestsStore, type OpenTab, type SignaturePreview } from '../requests-store';
import { matchPreview, previewKey, requestSignature } from './signing-actions';
import styles from './signing-strip.module.css';
import { countOf } from '@shared/count-of';

const ByteTable = later(async () => (await import('./byte-table')).ByteTable);

interface StripProps {
  tab: OpenTab;
  insight: RequestInsight;
  environment: Environment | null;
  problems: readonly BodyProblem[];
  /** Brings a range of the body as edited into view. */
  onJump: (start: number, end: number) => void;
}

const encoder = new TextEncoder();

/** The string to sign, always in view under the body: spans, length, key, warnings; opens into bytes and digest. */
export function SigningStrip(props: StripProps) {
  const { tab, insight, environment, problems } = props;
  const { keyChoice } = tab;
  useEffect(() => requestSignature(insight, environment, keyChoice), [insight, environment, keyChoice]);
  return (
    <section className={styles.strip} aria-label="String to sign">
      <ProblemList
        tab={tab}
        problems={problems.filter(({ code }) => code !== unresolvedCode)}
        onJump={props.onJump}
      >
        {insight.prepared?.isSigned ? <SignedStrip {...props} /> : <UnsignedStrip insight={insight} />}
      </ProblemList>
    </section>
  );
}

function UnsignedStrip({ insight }: { insight: RequestInsight }) {
  return (
    <header className={styles.head}>
      <b>String to sign</b>
      <span>{describeUnsigned(insight)}</span>
    </header>
  );
}

function SignedStrip({ tab, insight, environment, onJump }: StripProps) {
  const toSign = insight.prepared?.inspection?.toSign ?? null;
  const preview = useRequestsStore((state) =>
    matchPreview(state.preview, previewKey(insight, environment, tab.keyChoice)),
  );
  const lit = useRequestsStore((state) => state.lit);
  const isBytesShown = useRequestsStore((state) => state.isBytesShown);
  const jumpTo = (field: SignedFieldName): void => {
    const mark = insight.marks.find((one) => one.field === field);
    if (mark) onJump(mark.start, mark.end);
  };
  return (
    <>
      <StripHead tab={tab} insight={insight} environment={environment} preview={preview} />
      {insight.prepared?.isSignatureTyped ? (
        <ErrorLine
          tone="warn"
          error={{
            message:
              'X-Custom-Signature is typed into the headers: that is sent, and not the signature of this string.',
          }}
        >
          <TextButton onPress={() => updateTab(tab.id, { subTab: 'headers' })}>Look at it</TextButton>
        </ErrorLine>
      ) : null}
      {toSign ? (
        <StringToSignSpans
          text={toSign.text}
          spans={toSign.spans}
          lit={lit}
          onHover={(field) => useRequestsStore.setState({ lit: field })}
          onPick={jumpTo}
          isWrapped
          className={styles.text}
        />
      ) : (
        <p className={styles.none}>
          {insight.prepared?.body === null
            ? 'There is no body: nothing can be signed.'
            : 'Not readable yet; see below.'}
        </p>
      )}
      {toSign && isBytesShown ? <ByteTable text={toSign.text} spans={toSign.spans} /> : null}
      {toSign && !insight.prepared?.isSignatureTyped ? (
        <SignatureFacts tab={tab} preview={preview} isOpen={isBytesShown} />
      ) : null}
    </>
  );
}

function StripHead({
  tab,
  insight,
  environment,
  preview,
}: {
  tab: OpenTab;
  insight: RequestInsight;
  environment: Environment | null;
  preview: SignaturePreview | null;
}) {
  const toSign = insight.prepared?.inspection?.toSign ?? null;
  const isBytesShown = useRequestsStore((state) => state.isBytesShown);
  const signed = preview?.signed ?? null;
  const body = insight.prepared?.body ?? '';
  const signature = readTypedSignature(insight) ?? signed?.signature ?? '';
  return (
    <header className={styles.head}>
      <b>String to sign</b>
      {toSign ? <span className={styles.length}>{describeBytes(toSign.text)}</span> : null}
      {signed ? (
        <span className={styles.key}>
          <span className={styles.algorithm}>RSA-SHA256 ·</span>
          <span>key</span>
          <CopyText text={signed.keyFingerprint} label="key fingerprint">
            {signed.keyName} · {shorten(signed.keyFingerprint)}
          </CopyText>
        </span>
      ) : null}
      {toSign && environment ? <KeyMenu tab={tab} environment={environment} /> : null}
      <span className={styles.gap} />
      {toSign ? (
        <>
          <CopyButton text={toSign.text} name="Copy the string to sign" />
          <TextButton
            className={styles.quiet}
            aria-expanded={isBytesShown}
            onPress={() => useRequestsStore.setState({ isBytesShown: !isBytesShown })}
          >
            Bytes
          </TextButton>
          <TextButton
            className={styles.quiet}
            onPress={() =>
              handOverToLab({ body, signature, keyId: signed?.keyId, origin: `“${tab.title}”, as it stands` })
            }
          >
            Explain a signature
          </TextButton>
        </>
      ) : null}
    </header>
  );
}

/** The signature that goes out where it was typed into its header. */
function readTypedSignature({ prepared }: RequestInsight): string | null {
  return prepared?.isSignatureTyped ? findHeader(prepared.headers, 'x-custom-signature') : null;
}

function describeBytes(text: string): string {
  const count = encoder.encode(text).length;
  return `${countOf(count, 'byte')}, UTF-8`;
}

/** Its beginning alone: an ellipsis of its own stood beside the one of a narrow strip. */
const shorten = (fingerprint: string): string => fingerprint.slice(0, 8);

function SignatureFacts({
  tab,
  preview,
  isOpen,
}: {
  tab: OpenTab;
  preview: SignaturePreview | null;
  isOpen: boolean;
}) {
  if (preview?.error) {
    return (
      <ErrorLine error={preview.error} className={styles.notice}>
        <ErrorWays tab={tab} error={preview.error} />
      </ErrorLine>
    );
  }
  const signed = preview?.signed;
  return (
    <dl className={styles.facts}>
      {isOpen ? (
        <>
          <dt>SHA-256</dt>
          <dd>{signed ? <CopyText text={signed.digestHex} label="digest" /> : '…'}</dd>
          <dt>Key</dt>
          <dd>
            {signed ? <CopyText text={signed.keyFingerprint} label="fingerprint of the signing key" /> : '…'}
          </dd>
        </>
      ) : null}
      <dt>Signature</dt>
      <dd>{signed ? <CopyText text={signed.signature} label="signature" /> : '…'}</dd>
    </dl>
  );
}
