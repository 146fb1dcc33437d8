import type { ProductionSend } from '../requests-store';
import { allowHost } from './ask-before-production';
import { followRedirect } from './follow-redirect';
import { sendAgain, sendRequest } from './sending-actions';

/** Sends what was asked about; where it pays nothing, its host is not asked about again while the window is open. */
export async function allowProduction(id: string, asked: ProductionSend): Promise<void> {
  if (asked.payment === null) allowHost(asked.allowance);
  if (asked.isAgain) return void (await sendAgain(id, asked.allowance));
  if (asked.isFollowing) return followRedirect(id, asked.allowance);
  // Variables without a value have been asked about before the host was.
  await sendRequest(id, true, asked);
}
