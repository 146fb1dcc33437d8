import { listExpressions } from '@shared/export/map-expressions';
import { findForeignHost } from '@shared/http-file/host-binding';
import { writeCurl, writePastedCurl } from '@shared/http-file/write-curl';
import { decodeBase64 } from '@shared/signing/base64';
import { useAppStatus } from '../../../session/app-status';
import { copyAndSay } from '../../../ui/say';
import { readInsight } from '../requests-selectors';
import { findTab } from '../requests-store';
import { fillHeaders } from './fill-headers';
import { readOutgoingBody } from './outgoing-body';
import { showFailure } from './sending-actions';
import { listTrustedHosts } from './trusted-hosts';

/**
 * Copies the request as a curl command that runs as pasted: with its token and signature, as it would be sent now. What is
 * still to be filled in, a value of the vault or of nobody, is said.
 *
 * To another host than its environment's it is copied without them: a token is for the service that gave it.
 */
export async function copyAsCurl(id: string): Promise<void> {
  const tab = findTab(id);
  const environment = useAppStatus.getState().status?.environment;
  const prepared = tab && environment ? readInsight(tab, environment).prepared : null;
  if (!tab || !environment || !prepared) return;
  try {
    const allowHosts = listTrustedHosts(environment.id);
    const isAtHome = findForeignHost({ ...prepared, allowHosts }, environment) === null;
    const { bodyBase64: bytes, ...outgoing } = await readOutgoingBody(tab, prepared);
    const body =
      bytes === undefined
        ? outgoing.body
        : new TextDecoder('utf-8', { ignoreBOM: true }).decode(decodeBase64(bytes));
    const whole = { ...prepared, body };
    const headers = isAtHome ? await fillHeaders(whole, environment, tab.keyChoice) : prepared.headers;
    const options = { hasSecrets: isAtHome };
    // Braces in a file of the body are text.
    const open = listExpressions(writeCurl({ ...prepared, headers }, options));
    await copyAndSay(writePastedCurl({ ...whole, headers, bytes }, options), describeCopied(open));
  } catch (error) {
    showFailure(id, error);
  }
}

/** @param open - variables that stand in the command as text */
function describeCopied(open: readonly string[]): string {
  if (open.length === 0) return 'Copied';
  const names = [...new Set(open)].map((name) => `{{${name.slice(0, 60)}}}`);
  const more = names.length > 3 ? ` and ${names.length - 3} more` : '';
  return `Copied. Before you run it, fill in ${names.slice(0, 3).join(', ')}${more}`;
}
