import { findForeignHost } from '@shared/http-file/host-binding';
import { writePastedCurl } from '@shared/http-file/write-curl';
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
 * Copies the request as a curl command that runs as pasted: with its token and signature, as it would be sent now.
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
    await copyAndSay(writePastedCurl({ ...whole, headers, bytes }, { hasSecrets: isAtHome }));
  } catch (error) {
    showFailure(id, error);
  }
}
