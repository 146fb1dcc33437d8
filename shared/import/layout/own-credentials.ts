import { tokenName } from '../../http-file/foreign-variables';
import { inferOperation } from '../../http-file/infer-operation';
import { operations } from '../../payments/tables/operations';
import type { ImportedRequest } from '../imported';
import { fillVariables } from '../variables';

const signatureHeader = 'x-custom-signature';

/**
 * Gives a payment of the service a token and a signature of this app's, in place of those that were copied with it or
 * that a script of the other tool had to get.
 *
 * A copied token lasts an hour, and a copied signature holds for one body: kept as they are, the request works once at best.
 * @param values - of variables in the same document: part of a path may stand in one
 * @source payments-service-interface, parts 4.1, 4.2 and 5
 */
export function takeOwnCredentials(
  request: ImportedRequest,
  values: Readonly<Record<string, string>> = {},
): ImportedRequest {
  const known = { ...values, ...Object.fromEntries(request.variables) };
  const operation = inferOperation(request.method, fillVariables(request.url, known));
  const row = Object.values(operations).find((one) => one.operation === operation);
  const [product, ...others] = row?.products ?? [];
  if (row === undefined || product === undefined || others.length > 0) return request;
  const isSignedThere = request.headers.some(([name]) => name.toLowerCase() === signatureHeader);
  const notes: string[] = [];
  const headers = request.headers.map(([name, value]): [string, string] => {
    const own = chooseOwn(name, value, { product, isSigned: row.isSigned, isSignedThere });
    if (own === null) return [name, value];
    const variable = /\{\{[^{}]{1,80}\}\}/.exec(value)?.[0];
    notes.push(
      variable === undefined
        ? `What its header ${name} had is left out: ${why[own.kind]}`
        : `${variable} in its header ${name} is written ${own.value} here: ${why[own.kind]}`,
    );
    return [name, own.kind === 'token' ? `Bearer ${own.value}` : own.value];
  });
  if (row.isSigned && !isSignedThere) {
    notes.push(
      `The service asks for a signature of it: add \`X-Custom-Signature: {{signature}}\`, and the app signs each send.`,
    );
  }
  const isScripted = request.notes.some((one) => one.startsWith('Its pre-request script'));
  notes.push(...noteKept(headers, { product, isSigned: row.isSigned, isScripted }));
  if (isScripted && headers.some(([name, value]) => isOwnSignature(name, value)) && notes.length === 0)
    notes.push('{{signature}} needs no script: the app signs the bytes of each send.');
  return { ...request, headers, notes: [...request.notes, ...notes] };
}

/** Says of variables that nobody here knows the meaning of what would stand for them. */
function noteKept(
  headers: readonly (readonly [string, string])[],
  { product, isSigned, isScripted }: { product: string; isSigned: boolean; isScripted: boolean },
): string[] {
  return headers.flatMap(([name, value]) => {
    const [, variable = null] = /\{\{\s*([^{}]{1,80})\}\}/.exec(value.slice(0, 300)) ?? [];
    const own = variable === null ? null : variable.trim();
    if (own === null || own === 'signature' || own.startsWith('token.')) return [];
    if (name.toLowerCase() === signatureHeader && isSigned)
      return `{{${own}}} in its header ${name} stays: {{signature}} in its place has the app sign each send.`;
    return name.toLowerCase() === 'authorization' && /^bearer\s/i.test(value) && isScripted
      ? `{{${own}}} in its header ${name} stays: where a script got a token, write {{token.${product}}}, and the app fetches it.`
      : [];
  });
}

const isOwnSignature = (name: string, value: string): boolean =>
  name.toLowerCase() === signatureHeader && /^\{\{\s*signature\s*\}\}$/.test(value);

const why = {
  token: 'the app fetches a token for each send that needs one.',
  signature: 'the app signs the bytes of each send, no script is needed for it.',
};

/** Null: the header stays as it is. */
function chooseOwn(
  name: string,
  value: string,
  { product, isSigned, isSignedThere }: { product: string; isSigned: boolean; isSignedThere: boolean },
): { kind: keyof typeof why; value: string } | null {
  // Whoever writes a variable writes no more than that; a longer value need not be looked through.
  const short = value.length <= 300 ? value : '';
  const variable = /^(?:Bearer\s+)?\{\{([^{}]+)\}\}$/i.exec(short)?.[1]!.trim();
  const isLiteral = !value.includes('{{');
  if (name.toLowerCase() === signatureHeader && isSigned) {
    const isOther = variable !== undefined && variable !== 'signature' && /sig(?:n|$)/i.test(variable);
    return isLiteral || isOther ? { kind: 'signature', value: '{{signature}}' } : null;
  }
  if (name.toLowerCase() !== 'authorization') return null;
  const isToken = variable === undefined ? isLiteral && isSignedThere : tokenName.test(variable);
  return isToken ? { kind: 'token', value: `{{token.${product}}}` } : null;
}
