import type { ExchangeTrace } from '@shared/contract/sending';
import { largestOf } from '@shared/largest-of';
import { maskHeader } from '@shared/mask-secrets';
import { maskKnownSecrets } from '../../platform/mask-known-secrets';
import { isCompressed } from '../../platform/mask-message';
import type { HttpTrace, WireBytes } from '../../platform/ports';

/** So much of each direction is kept and shown. */
const SHOWN_BYTES = 16 * 1024;
const CHUNKED = /^transfer-encoding:[^\n]*chunked/im;
/** A secret that goes on beyond what is shown is recognised by what follows. */
const SPARE_BYTES = 8 * 1024;

/** How much of a call has to be kept so that no secret of it is cut where the shown part ends. */
export function countTraceBytes(secrets: readonly string[]): number {
  const longest = largestOf(
    secrets.map((secret) => Buffer.byteLength(secret)),
    0,
  );
  // In Base64 or hex within something else it is up to twice as long.
  return SHOWN_BYTES + SPARE_BYTES + 4 * longest;
}

/**
 * Masks what went over the wire, and cuts it to what is kept and shown. All else stays byte for byte.
 *
 * @param secrets - tokens and values of the vault that were put in
 */
export function maskWire(trace: HttpTrace, secrets: readonly string[]): ExchangeTrace {
  const known = secrets.map(toByteText);
  const kept = withoutPacked(trace.received);
  const received = maskBytes(kept, known);
  const isMasked = received.isMasked || kept !== trace.received;
  return { ...trace, sent: maskBytes(trace.sent, known), received: { ...received, isMasked } };
}

/** An answer whose body is compressed, which may hold anything, without it. */
function withoutPacked(received: WireBytes): WireBytes {
  const { bytes, sizeBytes } = received;
  const text = Buffer.from(bytes).toString('latin1');
  const end = text.indexOf('\r\n\r\n');
  if (end === -1) return received;
  const head = text.slice(0, end);
  const body = text.slice(end + 4);
  const fields = head.split('\r\n').flatMap((line) => {
    const [, name, value] = /^([^:\s]{1,200}):(.*)/s.exec(line) ?? [];
    return name === undefined ? [] : [name, value!];
  });
  const packed = Buffer.from(CHUNKED.test(head) ? joinChunks(body) : body, 'latin1');
  if (!isCompressed(fields, packed)) return received;
  return { bytes: Buffer.from(`${head}\r\n\r\ncompressed`, 'latin1'), sizeBytes };
}

function maskBytes({ bytes, sizeBytes }: WireBytes, secrets: readonly string[]): ExchangeTrace['sent'] {
  const text = Buffer.from(bytes).toString('latin1');
  const masked = maskMessage(text, secrets);
  const shown = Buffer.from(
    masked
      .slice(0, SHOWN_BYTES)
      .replaceAll('…', () => toByteText('…'))
      .replaceAll('•', '*'),
    'latin1',
  );
  return { base64: shown.toString('base64'), sizeBytes, isMasked: masked !== text };
}

function maskMessage(text: string, secrets: readonly string[]): string {
  const end = text.indexOf('\r\n\r\n');
  const head = end === -1 ? text : text.slice(0, end);
  const body = end === -1 ? '' : text.slice(end);
  const maskedHead = maskKnownSecrets(head.split('\r\n').map(maskLine).join('\r\n'), secrets);
  const maskedBody = maskKnownSecrets(body, secrets);
  if (maskedBody !== body || !CHUNKED.test(head)) return maskedHead + maskedBody;
  // A secret may lie across the borders of chunks: one that is found only without them is shown without them.
  const joined = joinChunks(body.slice(4));
  const maskedJoined = maskKnownSecrets(joined, secrets);
  return maskedHead + (maskedJoined === joined ? body : `\r\n\r\n${maskedJoined}`);
}

function maskLine(line: string): string {
  const found = /^([^:\s]{1,200}):([ \t]*)(.*)/s.exec(line);
  return found === null ? line : `${found[1]}:${found[2]}${maskHeader(found[1]!, found[3]!)}`;
}

function joinChunks(body: string): string {
  const parts: string[] = [];
  for (let at = 0; at < body.length;) {
    const lineEnd = body.indexOf('\r\n', at);
    const size = lineEnd === -1 ? NaN : parseInt(body.slice(at, lineEnd), 16);
    if (!(size > 0)) break;
    parts.push(body.slice(lineEnd + 2, lineEnd + 2 + size));
    at = lineEnd + 2 + size + 2;
  }
  return parts.join('');
}

/** One character a byte, as the wire is read here. */
function toByteText(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}
