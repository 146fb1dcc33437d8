import type { FileBody } from '@shared/http-file/assemble-body';
import { isUtf8 } from 'node:buffer';
import type { Environment } from '@shared/contract/environments';
import { AppError } from '@shared/errors';
import type { PreparedRequest } from '@shared/http-file/prepare-request';
import { isCredentialHeader, isSecretName, maskSecret, splitCredential } from '@shared/secrets';
import { readStringToSign } from '@shared/signing/string-to-sign';
import { findForeignHost } from '@shared/http-file/host-binding';
import { maskCredentials } from '@shared/import/credentials';
import { maskHeader as maskNamedHeader } from '@shared/mask-secrets';
import { maskKnownSecrets } from '../platform/mask-known-secrets';
import { listNamedSecret } from '../services/tokens/find-field';
import type { CommandContext } from './command';
import { listNotes } from './request-file';

/** What a dry run goes by; nothing of it is asked of the vault, the service or the network. */
export interface DryRun {
  prepared: PreparedRequest;
  /** The body's bytes where files stand in it. */
  fileBody: FileBody | null;
  /** Null: none was named. */
  environment: Pick<
    Environment,
    'name' | 'label' | 'baseUrl' | 'variables' | 'privateNames' | 'setup'
  > | null;
  allowHosts: readonly string[];
}

const placeholder = /\{\{\s*(?:token\.[a-z]+\s*|signature\s*|%?vault\.[^{}\r\n]+[\r\n]*)\}\}/g;
const masked = maskSecret('');
/** A shorter value would be found by chance in other texts. */
const shortestSecret = 6;

function listSecrets({ prepared, environment }: DryRun): string[] {
  const typed = listNamedSecret(
    prepared.body ?? '',
    environment?.setup.profile.requestNames.consumerSecret ?? '',
  );
  const isSecret = (name: string): boolean =>
    isSecretName(name) || (environment?.privateNames ?? []).includes(name);
  const values = Object.entries({ ...environment?.variables, ...prepared.variablesUsed })
    .filter(
      ([name, value]) => isSecret(name) && value.length >= shortestSecret && value.search(placeholder) === -1,
    )
    .map(([, value]) => value);
  return [...typed.filter((value) => value.search(placeholder) === -1), ...values];
}

/** Masks what is known or named as a secret, and what looks like one: a JWT, a private key. */
const maskText = (text: string, secrets: readonly string[]): string =>
  maskCredentials(maskKnownSecrets(text, secrets));

function maskHeader([name, value]: [string, string], secrets: readonly string[]): [string, string] {
  const filled = value.replace(placeholder, () => masked);
  const isHidden = isCredentialHeader(name) || name.toLowerCase() === 'x-custom-signature';
  if (!isHidden) return [name, maskNamedHeader(name, maskText(filled, secrets))];
  const { scheme, credential } = splitCredential(value);
  return [name, filled === value ? `${scheme}${maskSecret(credential)}` : filled];
}

function readSigned({ prepared, fileBody }: DryRun): { text: string | null; notes: string[] } {
  if (!prepared.isSigned) return { text: null, notes: [] };
  try {
    const body = fileBody === null ? (prepared.body ?? '') : Buffer.from(fileBody.bytes).toString('utf8');
    return { text: readStringToSign(body).text, notes: [] };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { text: null, notes: [error.message] };
  }
}

function describeForeignHost({ prepared, environment, allowHosts }: DryRun): string[] {
  const carriesOurs = [prepared.url, prepared.body ?? '', ...prepared.headers.map(([, value]) => value)].some(
    (text) => text.search(placeholder) !== -1,
  );
  if (environment === null || !carriesOurs) return [];
  const foreign = findForeignHost({ ...prepared, allowHosts }, environment);
  return foreign === null ? [] : [foreign.message];
}

/** Gives the bytes to show: those of a text with its secrets masked, files in it included, all others as they are. */
function showBody({ prepared, fileBody }: DryRun, secrets: readonly string[]): Buffer | null {
  if (fileBody !== null && !isUtf8(fileBody.bytes)) return Buffer.from(fileBody.bytes);
  const text = fileBody === null ? prepared.body : Buffer.from(fileBody.bytes).toString('utf8');
  return text === null ? null : Buffer.from(maskText(text, secrets), 'utf8');
}

/** Prints what a send would send. */
export function printDryRun(context: CommandContext, run: DryRun): 0 {
  const { prepared } = run;
  const secrets = listSecrets(run);
  const signed = readSigned(run);
  const body = showBody(run, secrets);
  const shown = {
    method: prepared.method,
    url: maskText(prepared.url, secrets),
    headers: prepared.headers.map((header) => maskHeader(header, secrets)),
    body_base64: body?.toString('base64') ?? null,
    string_to_sign: signed.text === null ? null : maskText(signed.text, secrets),
    unresolved: [...new Set(prepared.unresolved.map(({ name }) => name))],
    notes: [...listNotes(prepared), ...signed.notes, ...describeForeignHost(run)],
  };
  if (context.isJson) context.printJson(shown);
  else {
    context.print(`${shown.method} ${shown.url}`);
    for (const [name, value] of shown.headers) context.print(`${name}: ${value}`);
    if (body !== null) context.print(`\n${body.toString('utf8')}`);
    if (shown.string_to_sign !== null) context.say(`string to sign: ${shown.string_to_sign}`);
    for (const name of shown.unresolved) context.say(`no value: {{${name}}}`);
    for (const note of shown.notes) context.say(note);
  }
  return 0;
}
