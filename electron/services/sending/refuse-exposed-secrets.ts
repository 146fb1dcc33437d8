import { findForeignHost } from '@shared/http-file/host-binding';
import { listVaultReferences } from '@shared/http-file/vault-reference';
import { readJsonTree, textOf } from '@shared/json/json-tree';
import { SIGNED_FIELDS } from '@shared/signing/signed-fields';
import { errorsOf } from '../errors-of';

const SendingError = errorsOf<'sending.send'>();

/** Fields whose value is signed, kept in the clear, or used again as a reference. */
const KEPT_FIELDS = [
  ...SIGNED_FIELDS.map(({ path }) => path),
  'transaction.currency',
  'transaction_reference',
  'client_reference',
  'payment_uuid',
];
/** Addresses that the service, or the customer's browser, calls later. */
const CALLED_FIELDS = ['callback_url', 'redirect_url'];

/**
 * Refuses values of the vault in fields of a body that would carry them on: into the string to sign, into a reference,
 * or to the host of a callback.
 *
 * Where they stand is read from a body with a number in each one's place: it may stand within quotes or without.
 * @param fillBody - the body with what it is given in the place of each reference
 * @throws {AppError} `sending.secret_field`, `sending.foreign_host` (`{ field, variable }`)
 */
export function refuseExposedSecrets(
  input: { body: string | null; allowHosts?: readonly string[] | undefined },
  environment: { label: string; baseUrl: string },
  fillBody: (find: (name: string) => string) => string | null,
): void {
  const names = [...new Set(listVaultReferences(input.body ?? ''))];
  if (names.length === 0) return;
  const markOf = (name: string): string => `90817263540918273${10_000 + names.indexOf(name)}`;
  const tree = readJsonTree(fillBody(markOf) ?? '');
  const findIn = (field: string): { text: string; variable: string } | null => {
    const text = textOf(tree, ...field.split('.')) ?? '';
    const variable = names.find((name) => text.includes(markOf(name)));
    return variable === undefined ? null : { text, variable };
  };
  for (const field of KEPT_FIELDS) {
    const found = findIn(field);
    if (found !== null) throw refuseField(field, found.variable);
  }
  for (const field of CALLED_FIELDS) {
    const found = findIn(field);
    if (found === null) continue;
    const foreign = findForeignHost({ url: found.text, allowHosts: input.allowHosts }, environment);
    if (foreign !== null) throw refuseAddress(field, found.variable, environment.label);
  }
}

function refuseField(field: string, variable: string): Error {
  return new SendingError(
    'sending.secret_field',
    `Nothing was sent: ${field} would hold {{vault.${variable}}}. What is signed or a reference is kept in the clear: ` +
      'write its value there, or use a variable whose name is not that of a secret.',
    { details: { field, variable } },
  );
}

function refuseAddress(field: string, variable: string, environment: string): Error {
  return new SendingError(
    'sending.foreign_host',
    `Nothing was sent: ${field} would take {{vault.${variable}}} to another host than that of '${environment}'. ` +
      'Take it out of this address, or allow the host (--allow-host on the command line).',
    { details: { field, variable } },
  );
}
