import type { SendInput } from '@shared/contract/sending';
import { encodeBasic } from '@shared/http-file/basic-header';
import { fillVaultReferences, listVaultReferences } from '@shared/http-file/vault-reference';
import { isAddressOf } from '../environments/address-binding';
import { errorsOf } from '../errors-of';
import { findForeignHost } from '@shared/http-file/host-binding';
import { refuseExposedSecrets } from './refuse-exposed-secrets';

const SendingError = errorsOf<'sending.send'>();

/** A request with the bytes that leave, and the text of them that is signed, kept and shown. */
export type Outgoing = SendInput & {
  bytes: Uint8Array | null;
  /** As it was asked for, before anything was filled in. */
  given: SendInput;
};

export interface FilledSecrets {
  input: Outgoing;
  /** Values that were put in: they must not appear in anything kept. */
  secrets: string[];
}

/**
 * Puts the values of the vault in the place of their references, in address, headers and body.
 *
 * They leave only to the host of their environment, as tokens do, and none decides where a request goes.
 * @param read - gives a value of the request's environment
 * @throws {AppError} `sending.foreign_host`, `sending.secret_field`, `sending.bad_url`; what `read` throws
 */
export async function fillSecrets(
  input: Outgoing,
  environment: { label: string; baseUrl: string; id?: string },
  read: (name: string) => Promise<string>,
): Promise<FilledSecrets> {
  const names = [...new Set(listTexts(input).flatMap(listVaultReferences))];
  if (names.length === 0) return { input, secrets: [] };
  const refusal = findForeignHost(input, environment);
  if (refusal !== null) throw refusal;
  refuseExposedSecrets(
    input,
    environment,
    (find) => fillBody(input, (text) => fillVaultReferences(text, find)).body,
  );
  const values = new Map<string, string>();
  for (const name of names) values.set(name, await read(name));
  const fill = (text: string): string => fillVaultReferences(text, (name) => values.get(name) ?? '');
  const url = fill(input.url);
  if (!isAddressOf(url, input.url)) {
    throw new SendingError(
      'sending.bad_url',
      'A value of the vault cannot be the host of an address, or change it: name the host in {{base_url}}.',
    );
  }
  const filled = {
    ...input,
    url,
    headers: input.headers.map(([name, value]): [string, string] => [
      name,
      listVaultReferences(value).length === 0 ? value : encodeBasic(name, value, fill),
    ]),
    ...fillBody(input, fill),
  };
  return { input: filled, secrets: [...values.values()].filter((value) => value !== '') };
}

function listTexts({ url, headers, ...input }: Outgoing): string[] {
  return [url, ...headers.map(([, value]) => value), ...splitBody(input).map(({ text }) => text.toString())];
}

/** Texts of a body, each with the file behind it. */
function splitBody({
  bytes,
  bodyFiles = [],
}: Pick<Outgoing, 'bytes' | 'bodyFiles'>): { text: Buffer; file: Buffer }[] {
  const all = Buffer.from(bytes ?? []);
  let from = 0;
  return [...bodyFiles, [all.length, all.length] as const].map(([start, end]) => {
    const part = { text: all.subarray(from, start), file: all.subarray(start, end) };
    from = end;
    return part;
  });
}

/** A body with files is filled byte by byte: what is no text in it stays as it is, and so do files. */
function fillBody(
  { bodyBase64, bodyFiles, bytes, body }: Outgoing,
  fill: (text: string) => string,
): Pick<Outgoing, 'bytes' | 'body'> {
  if (bytes === null || body === null) return { bytes, body };
  if (bodyBase64 === undefined) {
    const text = fill(body);
    return { bytes: Buffer.from(text, 'utf8'), body: text };
  }
  const asBytes = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');
  const asText = (text: string): string => Buffer.from(text, 'latin1').toString('utf8');
  const fillText = (text: Buffer): Buffer =>
    Buffer.from(
      text.toString('latin1').replace(/\{\{[^{}\r\n]{1,300}\}\}/g, (whole) => asBytes(fill(asText(whole)))),
      'latin1',
    );
  const sent = Buffer.concat(
    splitBody({ bytes, bodyFiles }).flatMap(({ text, file }) => [fillText(text), file]),
  );
  return { bytes: sent, body: sent.toString('utf8') };
}
