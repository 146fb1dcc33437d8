import type { MethodInput } from '@shared/contract/contract';
import type { Environment } from '@shared/contract/environments';
import type { Exchange } from '@shared/contract/sending';
import { AppError } from '@shared/errors';
import { joinErrors } from '@shared/joined-errors';
import { listSecretValues } from '@shared/http-file/secret-values';
import { adviseOnMissing, type VariableAdvice } from '@shared/http-file/foreign-variables';
import { createScriptAdvice, type ScriptedRequest } from '@shared/http-file/script-values';
import { findRefusal, type PreparedRequest } from '@shared/http-file/prepare-request';
import type { DryRun } from './dry-run';
import { requireAnswer } from './finish-exchange';
import { listSome } from '@shared/list-some';

/** As long as the contract takes a title; a path may be longer. */
const maxTitleChars = 300;

interface WhoSends {
  /** What the request asks of the vault and it does not have: told together with the variables that nobody gives. */
  findMissingSetUp(): Promise<AppError[]>;
  readonly advice: VariableAdvice;
}

/**
 * @param scripted - the requests of its file: scripts of other clients may give what it lacks
 * @throws {AppError} `sending.*` where a request cannot go out as its file has it
 */
export async function refuseUnsendable(
  prepared: PreparedRequest,
  scripted: readonly ScriptedRequest[],
  { findMissingSetUp, advice: { adviseOn, isElsewhere } }: WhoSends,
): Promise<void> {
  const refusal = findRefusal(prepared);
  if (refusal !== null) throw refusal;
  const { unresolved } = prepared;
  if (unresolved.length === 0) return;
  const names = [...new Set(unresolved.map(({ name }) => name))];
  const shown = listSome(names.map((name) => `{{${name}}}`));
  const adviseBesideScripts = createScriptAdvice(scripted);
  const adviseOnOther = (name: string): string => adviseBesideScripts(name, adviseOn(name));
  const told = adviseOnMissing(names, prepared.foreign, adviseOnOther, isElsewhere);
  const variables = new AppError('sending.unresolved', `Nobody gave ${shown}: ${told}`);
  throw joinErrors([variables, ...(await findMissingSetUp())]);
}

/** Says what the back end is to send. */
export function describeSend(
  { prepared, fileBody, allowHosts }: DryRun,
  environment: Environment,
  file: string,
): MethodInput<'sending.send'> {
  const { operation, method, url, headers, body, variablesUsed } = prepared;
  return {
    environment: environment.id,
    operation,
    title: (prepared.name ?? file).slice(0, maxTitleChars),
    method,
    url,
    headers,
    body: fileBody === null ? body : null,
    ...(fileBody && {
      bodyBase64: Buffer.from(fileBody.bytes).toString('base64'),
      bodyFiles: fileBody.files,
    }),
    secretValues: listSecretValues(variablesUsed),
    allowHosts: [...allowHosts],
  };
}

/** `connect_ms` is the whole handshake, as scripts know it; look-up and TLS stand beside it. */
function writeTimings(timings: Exchange['timings']): Record<string, number | null> {
  const { queueMs, dnsMs, connectMs, tlsMs, firstByteMs, downloadMs, totalMs } = timings ?? {};
  return {
    queue_ms: queueMs ?? null,
    dns_ms: dnsMs ?? null,
    connect_ms: typeof connectMs === 'number' ? (dnsMs ?? 0) + connectMs + (tlsMs ?? 0) : null,
    tls_ms: tlsMs ?? null,
    first_byte_ms: firstByteMs ?? null,
    download_ms: downloadMs ?? null,
    total_ms: totalMs ?? null,
  };
}

/** An exchange as `send --json` prints it. */
export function describeSent(exchange: Exchange): Record<string, unknown> {
  const { response, reading, request, timings, reference } = requireAnswer(exchange);
  return {
    http_status: response.httpStatus,
    outcome: reading.outcome,
    reference,
    string_to_sign: request.stringToSign,
    signature: request.signature,
    timings: writeTimings(timings),
    body: response.body,
    ...(response.isCut && { is_cut: true }),
  };
}
