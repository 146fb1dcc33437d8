import type { Exchange } from '@shared/contract/sending';
import { isProduct } from '@shared/payments/tables/products';

const masked = /…|^•+$/;

/** Headers of what an earlier version kept: token and signature stand there as placeholders again. */
function guessHeaders({ operation, request }: Exchange): [string, string][] {
  return request.headers.map(([name, value]) => {
    const lower = name.toLowerCase();
    if (lower === 'x-custom-signature' && request.signature !== null) return [name, '{{signature}}'];
    if (lower === 'authorization' && masked.test(value) && isProduct(operation)) {
      return [name, `Bearer {{token.${operation}}}`];
    }
    return [name, value];
  });
}

/** Headers that a client adds by itself. */
const ownHeaders = new Set(['host', 'content-length', 'connection']);

/**
 * Writes the text of a request file from an exchange: its bytes as they were sent, token and signature as placeholders.
 *
 * What was masked stays masked, to be filled in by hand.
 */
export async function writeDraft(exchange: Exchange): Promise<string> {
  const { request, operation, sentAt, title } = exchange;
  const [{ writeRequest }, { createRequest }] = await Promise.all([
    import('@shared/import/layout/write-request'),
    import('@shared/import/imported'),
  ]);
  const body = request.written?.body ?? request.body;
  const headers = (request.written?.headers ?? guessHeaders(exchange)).filter(
    ([name]) => !ownHeaders.has(name.toLowerCase()),
  );
  const lost = request.written?.lost ?? null;
  const written = writeRequest(
    createRequest({
      name: title,
      method: request.method,
      url: request.written?.url ?? request.url,
      headers: headers.map(([name, value]): [string, string] => [name, value]),
      body: body === null ? null : { parts: [body] },
      description: [`As sent at ${new Date(sentAt).toISOString()}.`, ...(lost === null ? [] : [lost])].join(
        '\n',
      ),
    }),
    'draft',
  );
  const text = written?.text ?? `${request.method} ${request.url}\n`;
  return operation === 'other' ? text : `# @operation ${operation}\n${text}`;
}
