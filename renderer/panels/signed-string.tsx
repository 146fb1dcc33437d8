import type { SandboxRequestDetail } from '@shared/contract/sandbox';
import { findHeader } from '@shared/find-header';
import { handOverToLab, type LabHandover } from '../session/handover';
import { TextButton } from '../ui/button';
import { formatExact } from '../ui/format-time';
import { StringToSignSpans } from '../ui/string-to-sign-spans';
import shared from './exchange-pane.module.css';
import type { KeptMessage } from './message-parts';

interface SignedStringProps {
  stringToSign: NonNullable<SandboxRequestDetail['stringToSign']>;
  request: KeptMessage;
  /** Who kept it, and when it came. */
  keeper: string;
  at: number;
  /** What the signature is tried with. */
  keys: Pick<LabHandover, 'publicKeyPem' | 'publicKeyPems'>;
}

/** What was to be signed of a request that was kept, and the way to the lab; none where less is kept than was signed. */
export function SignedString({ stringToSign, request, keeper, at, keys }: SignedStringProps) {
  const { headers, body, bodyBase64, isCut, isMasked } = request;
  const signature = findHeader(headers, 'x-custom-signature');
  const origin = `${keeper}, ${formatExact(at).slice(11, 19)}`;
  return (
    <section className={shared.block} aria-label="String to sign">
      <header className={shared.blockHead}>
        <h2>String to sign</h2>
        {signature === null || bodyBase64 !== null || isCut || isMasked ? null : (
          <TextButton onPress={() => handOverToLab({ body, signature, origin, ...keys })}>
            Explain the signature
          </TextButton>
        )}
      </header>
      <StringToSignSpans text={stringToSign.text} spans={stringToSign.spans} isWrapped />
    </section>
  );
}
