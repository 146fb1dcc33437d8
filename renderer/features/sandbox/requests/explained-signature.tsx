import type { DoctorResult } from '@shared/contract/doctor';
import { useMemo } from 'react';
import { handOverToLab } from '../../../session/handover';
import { Button } from '../../../ui/button';
import { CopyButton, CopyText } from '../../../ui/copy-text';
import { ForeignText } from '../../../ui/foreign-text';
import { formatExact } from '../../../ui/format-time';
import { signedFieldClass, StringToSignSpans } from '../../../ui/string-to-sign-spans';
import { readExpectedBytes, readExpectedSpans } from './expected-bytes';
import type { Explanation } from '../sandbox-store';
import shared from '../../../panels/exchange-pane.module.css';
import styles from '../sandbox.module.css';

type ExplainedSignatureData = NonNullable<Explanation['signature']>;

/** The string that the sandbox expected, byte by byte, beside what the doctor found was signed. */
export function ExplainedSignature({
  signature,
  at,
}: {
  signature: ExplainedSignatureData;
  at: number | null;
}) {
  const { expectedString, expectedBytesHex, body, receivedSignature, publicKeyPem } = signature;
  const spans = useMemo(() => readExpectedSpans(body, expectedString), [body, expectedString]);
  const findings = readFindings(signature.findings);
  const open = (): void =>
    handOverToLab({
      body,
      signature: receivedSignature ?? '',
      ...(publicKeyPem === null ? {} : { publicKeyPem }),
      origin: at === null ? 'the sandbox' : `the sandbox, ${formatExact(at).slice(11, 19)}`,
    });
  return (
    <>
      <section className={shared.block} aria-label="Expected string">
        <header className={shared.blockHead}>
          <h2>{`Expected, ${expectedBytesHex.length / 2} bytes`}</h2>
          <CopyButton text={expectedString} name="Copy the expected string" />
        </header>
        {spans.length > 0 ? (
          <StringToSignSpans text={expectedString} spans={spans} isWrapped />
        ) : (
          <code className={styles.plain}>
            <ForeignText text={expectedString} />
          </code>
        )}
        <ByteGrid text={expectedString} spans={spans} sizeBytes={expectedBytesHex.length / 2} />
      </section>
      {findings ? (
        <section className={shared.block} aria-label="What was signed">
          <h2 className={shared.blockHead}>What the doctor finds</h2>
          <p className={styles.finding}>{findings.explanation}</p>
          {findings.signedString === null ? null : (
            <code className={styles.plain}>
              <ForeignText text={findings.signedString} />
            </code>
          )}
        </section>
      ) : null}
      <section className={shared.block} aria-label="Signature received">
        <h2 className={shared.blockHead}>Signature received</h2>
        {receivedSignature ? (
          <CopyText text={receivedSignature} label="signature" className={styles.signature} />
        ) : (
          <p className={shared.small}>None: the header X-Custom-Signature was missing or empty.</p>
        )}
        <div>
          <Button onPress={open}>Explain the signature</Button>
        </div>
      </section>
    </>
  );
}

function ByteGrid({
  text,
  spans,
  sizeBytes,
}: {
  text: string;
  spans: ReturnType<typeof readExpectedSpans>;
  sizeBytes: number;
}) {
  const bytes = useMemo(() => readExpectedBytes(text, spans), [text, spans]);
  return (
    <>
      <ol className={styles.bytes} aria-label="Bytes of the expected string">
        {bytes.map((byte, index) => (
          <li
            key={index}
            title={`byte ${index}: 0x${byte.hex}${byte.character ? ` “${byte.character}”` : ', continues'}`}
            className={byte.field ? signedFieldClass(byte.field) : undefined}
          >
            <span>{byte.hex}</span>
            <small>{byte.character ?? '·'}</small>
          </li>
        ))}
      </ol>
      {bytes.length < sizeBytes ? (
        <p>{`The first ${bytes.length} of ${sizeBytes.toLocaleString('en')} bytes.`}</p>
      ) : null}
    </>
  );
}

/** The doctor's result crosses as unknown: only what is shown is read from it. */
function readFindings(findings: unknown): Pick<DoctorResult, 'explanation' | 'signedString'> | null {
  if (typeof findings !== 'object' || findings === null) return null;
  const { explanation, signedString } = findings as Record<string, unknown>;
  if (typeof explanation !== 'string') return null;
  return { explanation, signedString: typeof signedString === 'string' ? signedString : null };
}
