import type { Page } from '@playwright/test';
import type { MethodInput, MethodName, MethodOutput } from '@shared/contract/contract';
import type { Reply } from '@shared/contract/define';

/**
 * Calls a method of the contract from the page, as the page itself would.
 *
 * For what a spec needs to stand there before it begins, and to put back what it changed; what it is about, it does by hand.
 */
export async function callBackend<M extends MethodName>(
  page: Page,
  method: M,
  input: MethodInput<M>,
): Promise<MethodOutput<M>> {
  const reply = await page.evaluate(
    async ([name, value]) => {
      const bridge = (
        window as unknown as { countersign?: { call(m: string, i: unknown): Promise<unknown> } }
      ).countersign;
      if (bridge) return bridge.call(name, value);
      const response = await fetch('/api/call', {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-countersign-proof': sessionStorage.getItem('countersign.proof') ?? '',
        },
        body: JSON.stringify({ method: name, input: value }),
      });
      return response.json() as Promise<unknown>;
    },
    [method, input] as const,
  );
  const { ok, ...rest } = reply as Reply<MethodOutput<M>>;
  if (!ok) throw new Error(`${method}: ${JSON.stringify(rest)}`);
  return (rest as { value: MethodOutput<M> }).value;
}

/** Posts a webhook to the app's listener, as the service would. */
export async function postWebhook(
  page: Page,
  payload: string | Record<string, unknown>,
  headers: Record<string, string> = {},
): Promise<number> {
  const { listener } = await callBackend(page, 'app.status', {});
  const response = await fetch(listener.url!, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof payload === 'string' ? payload : JSON.stringify(payload),
  });
  await response.arrayBuffer();
  return response.status;
}
