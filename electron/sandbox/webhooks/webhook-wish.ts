/** How a test webhook is sent beyond what the service's simulator does. */
export interface WebhookWish {
  /** The body of the webhook is that of the request, without its address. */
  readonly isExact: boolean;
  readonly copies: number;
  readonly delaySeconds: number;
}

export const wishForms = 'exact, copies=1 to 10 and delay=0 to 86400 (seconds), joined by semicolons';

const numbers = { copies: { least: 1, most: 10 }, delay: { least: 0, most: 86_400 } } as const;

/** Reads the header `X-Sandbox-Webhook`. @returns null where it is none */
export function readWebhookWish(header: string | undefined): WebhookWish | null {
  const found = { isExact: false, copies: 1, delay: 0 };
  for (const part of (header ?? '').split(';').map((one) => one.trim())) {
    const [name = '', text = ''] = part.split('=', 2);
    if (part === 'exact') found.isExact = true;
    else if (name === 'copies' || name === 'delay') {
      const value = /^\d{1,5}$/.test(text) ? Number(text) : -1;
      if (value < numbers[name].least || value > numbers[name].most) return null;
      found[name] = value;
    } else if (part !== '') return null;
  }
  return { isExact: found.isExact, copies: found.copies, delaySeconds: found.delay };
}

const callbackUrl = /^\s*\{\s*"callback_url"\s*:\s*"(?:[^"\\]|\\.)*"\s*(?:,|(?=\}))/;

/** Takes the address off a body, and leaves every other byte; null where it is not its first member. */
export function cutCallbackUrl(text: string): string | null {
  return callbackUrl.test(text) ? text.replace(callbackUrl, '{') : null;
}
