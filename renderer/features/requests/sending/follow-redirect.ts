import { planRedirect, type RedirectPlan } from '@shared/http-file/plan-redirect';
import { useAppStatus } from '../../../session/app-status';
import { findTab, type OpenTab, type SendWord } from '../requests-store';
import { transmit } from './sending-actions';
import { findSent, type SentInput, type SentRequest } from './sent-requests';

/** Looking through a body of megabytes takes its time, and is asked for with each letter that is typed. */
const plans = new WeakMap<SentRequest, RedirectPlan | null>();

/** What following the answer of a tab would send; null: it points nowhere, or what was sent is not known any more. */
export function planFollowing(tab: OpenTab | undefined): RedirectPlan | null {
  const sent = findSent(tab);
  const response = tab?.exchange?.response;
  if (sent === null || !response) return null;
  const known = plans.get(sent);
  if (known !== undefined) return known;
  const plan = planRedirect(sent.input, response, sent.seen);
  plans.set(sent, plan);
  return plan;
}

/** Goes where an answer points: one step, as planned; on production it is asked about like any other request. */
export async function followRedirect(id: string, allowance: SendWord['allowance'] = null): Promise<void> {
  const tab = findTab(id);
  const environment = useAppStatus.getState().status?.environment;
  const sent = findSent(tab);
  const plan = planFollowing(tab);
  if (!tab || tab.run || sent === null || plan?.kind !== 'go' || environment?.id !== sent.input.environment)
    return;
  const { method, url, headers, body, bodyBase64 } = plan.request;
  const { bodyBase64: _left, ...rest } = sent.input;
  const input: SentInput = {
    ...rest,
    // A payment that was made to be read is none any more.
    ...(method !== sent.input.method && { operation: 'other' as const }),
    method,
    url,
    headers: headers.map(([name, value]): [string, string] => [name, value]),
    body,
    ...(bodyBase64 !== undefined && { bodyBase64 }),
  };
  const how = { isUnsigned: false, allowance, isFollowing: true };
  await transmit(tab, how, () => Promise.resolve(input), [...sent.seen, sent.input.url]);
}
