import type { Reply } from '@shared/contract/define';
import { proofHeader } from '@shared/web-proof';

/** Calls the contract over the web host, as the page does. */
export interface WebClient {
  origin: string;
  cookie: string;
  /** What the page gets in its address, and sends as a header. */
  proof: string;
  call(method: string, input?: unknown): Promise<Reply<never>>;
  /** Posts whatever it is to where calls go. */
  post(body: string | Uint8Array<ArrayBuffer>): Promise<Response>;
  /** Opens the event stream; gives a function that closes it. */
  listen(onEvent: (name: string, payload: unknown) => void): Promise<() => void>;
}

/** Spends a launch address on a session. */
export async function openWebClient(launchUrl: string): Promise<WebClient> {
  const { origin } = new URL(launchUrl);
  const answer = await fetch(launchUrl, { redirect: 'manual' });
  const cookie = (answer.headers.get('set-cookie') ?? '').split(';')[0]!;
  const proof = /#proof=([0-9a-f]+)/.exec(await answer.text())?.[1] ?? '';
  const post: WebClient['post'] = (body) =>
    fetch(`${origin}/api/call`, {
      method: 'POST',
      headers: { cookie, origin, [proofHeader]: proof, 'content-type': 'application/json' },
      body,
    });
  return {
    origin,
    cookie,
    proof,
    post,
    call: async (method, input = {}) =>
      (await (await post(JSON.stringify({ method, input }))).json()) as Reply<never>,
    async listen(onEvent) {
      const stop = new AbortController();
      const response = await fetch(`${origin}/api/events`, {
        headers: { cookie, [proofHeader]: proof },
        signal: stop.signal,
      });
      void readEvents(response.body!, onEvent).catch(() => undefined);
      return () => stop.abort();
    },
  };
}

async function readEvents(
  stream: ReadableStream<Uint8Array>,
  onEvent: (name: string, payload: unknown) => void,
): Promise<void> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of stream as unknown as AsyncIterable<Uint8Array>) {
    rest += decoder.decode(chunk, { stream: true });
    const messages = rest.split('\n\n');
    rest = messages.pop() ?? '';
    for (const message of messages) {
      if (!message.startsWith('data: ')) continue;
      const { name, payload } = JSON.parse(message.slice(6)) as { name: string; payload: unknown };
      onEvent(name, payload);
    }
  }
}
