import type { Exchange } from '@shared/contract/sending';
import { readAnswerBytes } from '../../session/whole-answer';
import { readBase64 } from '../../session/base64-bytes';
import { useBodyComparison, type ComparedBody } from '../../ui/body-comparison/use-body-comparison';
import { TextButton } from '../../ui/button';
import { ErrorLine } from '../../ui/error-line';
import { formatExact } from '../../ui/format-time';
import { JsonDifferences } from '../../ui/json-differences';
import { Skeleton } from '../../ui/spinner';
import { compareWith } from './history-store';
import { StringsCompare } from './strings-compare';
import styles from './history.module.css';
import tones from '../../ui/tone.module.css';

interface Pair {
  exchange: Exchange;
  other: Exchange;
}

/** The exchange on show against another one: strings to sign, then each body by its bytes and by what it means. */
export function HistoryCompare({ exchange, other }: Pair) {
  if (exchange.id === other.id) {
    return (
      <p className={styles.compareHead} role="status">
        <span>Choose another exchange in the list: it is compared with this one.</span>
        <TextButton onPress={() => void compareWith(null)}>Compare with none</TextButton>
      </p>
    );
  }
  const statuses = `${other.response?.httpStatus ?? 'No answer'} there, ${exchange.response?.httpStatus ?? 'no answer'} here. `;
  const isCut = [exchange, other].some(({ response }) => response?.isCut === true);
  return (
    <section className={styles.compare} aria-label="Comparison">
      <p className={styles.compareHead}>
        <span>{`Against “${other.title}” of ${formatExact(other.sentAt)}: there, and here.`}</span>
        <TextButton onPress={() => void compareWith(null)}>Compare with none</TextButton>
      </p>
      <StringsCompare left={other.request.stringToSign} right={exchange.request.stringToSign} />
      <h3>Sent</h3>
      <Bodies left={sentBy(other)} right={sentBy(exchange)} />
      <h3>Received</h3>
      <Bodies
        left={receivedBy(other)}
        right={receivedBy(exchange)}
        before={statuses}
        after={isCut ? cutShort : ''}
      />
    </section>
  );
}

const cutShort = ' Of an answer over 16 MiB what was read of it is compared.';

interface BodiesProps {
  left: ComparedBody;
  right: ComparedBody;
  /** Said around the sentence about the bytes. */
  before?: string;
  after?: string;
}

function Bodies({ left, right, before = '', after = '' }: BodiesProps) {
  const { comparison, error } = useBodyComparison(left, right);
  if (error) return <ErrorLine error={error} />;
  if (comparison === null) return <Skeleton lines={2} />;
  return (
    <>
      <p className={tones.soft}>{`${before}${comparison.bytes}.${after}`}</p>
      <JsonDifferences comparison={comparison} />
    </>
  );
}

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

function sentBy({ id, request }: Exchange): ComparedBody {
  return { key: `${id} sent`, read: () => (request.body === null ? null : encode(request.body)) };
}

/** All of it: of a long answer a screen has the beginning alone. */
function receivedBy(exchange: Exchange): ComparedBody {
  const { id, response } = exchange;
  return {
    // It may come while this is on show.
    key: `${id} received ${response === null ? 'nothing' : response.sizeBytes}`,
    read: async () => {
      if (response === null) return null;
      if (response.bodyBase64 !== null) return readBase64(response.bodyBase64);
      if (response.isBodyShortened !== true) return encode(response.body);
      return new Uint8Array(await new Blob(await readAnswerBytes(exchange)).arrayBuffer());
    },
  };
}
