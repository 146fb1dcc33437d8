import type { ProductionSend } from '../requests-store';
import { allowHost } from './ask-about-production';
import { followRedirect } from './follow-redirect';
import { sendAgain, sendRequest } from './sending-actions';

/** Sends what was asked about; where it pays nothing, its host is not asked about again while the window is open. */
export async function allowProduction(id: string, { payment, how }: ProductionSend): Promise<void> {
  if (payment === null && how.allowance !== null) allowHost(how.allowance);
  if (how.isAgain) return void (await sendAgain(id, how.allowance));
  if (how.isFollowing) return followRedirect(id, how.allowance);
  // Variables without a value have been asked about before the host was.
  await sendRequest(id, true, how);
}
