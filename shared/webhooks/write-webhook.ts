import type { HeaderList } from '../contract/common';

/** A webhook as it is written for other tools. */
export interface WrittenWebhook {
  readonly method: string;
  readonly path: string;
  readonly headers: HeaderList;
  readonly body: string;
  readonly bodyBase64: string;
}

/** What belongs to the connection that it came on. */
const hopByHop = new Set([
  'host',
  'content-length',
  'connection',
  'transfer-encoding',
  'keep-alive',
  'accept-encoding',
]);

/** Text with a replacement character in it may have been other bytes. */
const isText = ({ body }: WrittenWebhook): boolean => !body.includes('\ufffd');

/** The webhook as a command line that sends the same bytes again. */
export function writeWebhookAsCurl(webhook: WrittenWebhook, baseUrl: string): string {
  const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
  const { method, path, headers, body, bodyBase64 } = webhook;
  const shown = headers
    .filter(([name]) => !hopByHop.has(name.toLowerCase()))
    .map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`);
  const start = isText(webhook) ? 'curl' : `printf %s ${quote(bodyBase64)} | base64 -d | curl`;
  const data = bodyBase64 === '' ? [] : [`--data-binary ${isText(webhook) ? quote(body) : '@-'}`];
  return [`${start} -X ${method} ${quote(baseUrl + path)}`, ...shown, ...data].join(' \\\n  ');
}

/** The webhook as a request of an `.http` file; a body that is no text is left out, and said to be. */
export function writeWebhookAsHttp(webhook: WrittenWebhook, baseUrl: string, title: string): string {
  const { method, path, headers, body } = webhook;
  const lines = headers
    .filter(([name]) => !hopByHop.has(name.toLowerCase()))
    .map(([name, value]) => `${name}: ${value}`);
  const note = isText(webhook) ? [] : ['# The body is not UTF-8 text, and is left out.'];
  const head = [`### ${title.replace(/[\r\n]+/g, ' ')}`, ...note, `${method} ${baseUrl}${path}`, ...lines];
  return `${head.join('\n')}\n\n${isText(webhook) ? body : ''}\n`;
}
