import type { ExchangeTrace } from '@shared/contract/sending';
import { readBase64 } from '../../../session/base64-bytes';
import { useLayoutEffect, useMemo, useRef, useState } from 'react';
import { Choice } from '../../../ui/choice';
import { CopyText } from '../../../ui/copy-text';
import { formatBytes, formatExact } from '../../../ui/format-time';
import { JsonView } from '../../../ui/json-view';
import { FactList } from '../../../ui/pane-header';
import { writeHexRows } from './hex-rows';
import { describeTls, isOfProxy } from './describe-tls';
import styles from './wire-view.module.css';
import column from '../../../ui/column.module.css';

/** More are counted, and not kept. */
const keptBytes = 16 * 1024;

type Way = 'sent' | 'received' | 'connection';

/** What went over the wire: the bytes sent and received, and the connection that they went over. */
export function WireView({ trace, url }: { trace: ExchangeTrace; url: string }) {
  const [way, setWay] = useState<Way>('sent');
  const options = [
    { id: 'sent', label: 'Request' },
    { id: 'received', label: 'Answer' },
    { id: 'connection', label: 'Connection' },
  ] as const;
  return (
    <div className={column.whole}>
      <div className={styles.bar}>
        <Choice label="What of the wire" options={options} selected={way} onSelect={setWay} />
      </div>
      {way === 'connection' ? (
        <Connection trace={trace} url={url} />
      ) : (
        <Bytes key={way} bytes={trace[way]} way={way} />
      )}
    </div>
  );
}

function Bytes({ bytes, way }: { bytes: ExchangeTrace['sent']; way: 'sent' | 'received' }) {
  const { base64, sizeBytes, isMasked } = bytes;
  const shown = useMemo(() => readBase64(base64), [base64]);
  const frame = useRef<HTMLDivElement>(null);
  const perRow = useBytesPerRow(frame);
  const rows = useMemo(() => writeHexRows(shown, perRow), [shown, perRow]);
  const notes = [
    `${sizeBytes === 0 ? 'No byte' : formatBytes(sizeBytes)} ${way === 'sent' ? 'sent' : 'received'}.`,
    isMasked ? 'Secrets are masked here alone.' : null,
    sizeBytes > keptBytes ? `The first ${formatBytes(shown.length)} are kept.` : null,
  ].filter((note) => note !== null);
  return (
    <div ref={frame} className={styles.bytes}>
      <JsonView
        text={rows}
        label={way === 'sent' ? 'Bytes sent' : 'Bytes received'}
        isPlain
        isNeverWrapped
        note={notes.join(' ')}
      />
    </div>
  );
}

/** A row of eight bytes with its text is as wide as this, in pixels. */
const wideRowPx = 380;

/** As many as have their text beside them in the pane. */
function useBytesPerRow(frame: React.RefObject<HTMLDivElement | null>): number {
  const [perRow, setPerRow] = useState(8);
  useLayoutEffect(() => {
    const element = frame.current;
    if (!element) return undefined;
    const measure = (): void => setPerRow(element.clientWidth < wideRowPx ? 4 : 8);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [frame]);
  return perRow;
}

function Connection({ trace, url }: { trace: ExchangeTrace; url: string }) {
  const { address, isProxied, isReused, httpVersion, tls } = trace;
  const certificates = tls?.chain ?? [];
  return (
    <div className={styles.connection} role="group" tabIndex={0} aria-label="Connection">
      <FactList
        facts={[
          {
            label: isProxied ? 'Proxy' : 'Address',
            value: address === null ? 'None' : <CopyText text={address} label="address" />,
          },
          { label: 'HTTP', value: httpVersion ?? 'No answer' },
          { label: 'Connection', value: address === null ? 'None' : isReused ? 'Used again' : 'New' },
          { label: 'TLS', value: describeTls(trace, url) },
        ]}
      />
      {certificates.map((one, at) => (
        <section key={one.fingerprint} className={styles.certificate}>
          <h3>{at > 0 ? 'Issued by' : isOfProxy(trace, url) ? 'Certificate of the proxy' : 'Certificate'}</h3>
          <FactList
            facts={[
              { label: 'Subject', value: one.subject },
              { label: 'Issuer', value: one.issuer === one.subject ? 'Itself' : one.issuer },
              {
                label: 'Valid',
                value: `${formatExact(one.validFrom).slice(0, 10)} to ${formatExact(one.validTo).slice(0, 10)}`,
              },
              ...(one.names === '' ? [] : [{ label: 'Names', value: one.names }]),
              { label: 'SHA-256', value: <CopyText text={one.fingerprint} label="fingerprint" /> },
            ]}
          />
        </section>
      ))}
    </div>
  );
}
