import { dirname, resolve } from 'node:path';
import type { Exchange } from '@shared/contract/sending';
import { AppError } from '@shared/errors';
import { createDynamicValues } from '@shared/http-file/dynamic-values';
import { parseHttpFile } from '@shared/http-file/parse-http-file';
import { chooseRequest, prepareRequest, type PreparedRequest } from '@shared/http-file/prepare-request';
import { defineCommand, type CommandContext } from '../command';
import { isGood, requireAnswer } from '../finish-exchange';
import { decodeText } from '../read-input';
import { findEnvironmentFolder, keyOption, openSession, serviceNotes, serviceOptions } from '../session';
import { usageError } from '../usage-error';

function readVariables(pairs: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      if (at < 1) throw usageError(`--var takes NAME=VALUE, not '${pair.slice(0, 60)}'.`);
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
}

function refuseUnresolved({ unresolved }: PreparedRequest): void {
  const [first] = unresolved;
  if (first === undefined) return;
  const names = [...new Set(unresolved.map(({ name }) => `{{${name}}}`))].join(', ');
  const option = first.name === 'callback_url' ? '--callback-url URL' : `--var ${first.name}=VALUE`;
  throw new AppError(
    'sending.unresolved',
    `Nobody gave ${names}. Set it in the environment, in the file (@${first.name} = …), or with ${option}.`,
  );
}

function printExchange(context: CommandContext, exchange: Exchange): 0 | 1 {
  const { response, reading, request, timings, reference } = requireAnswer(exchange);
  if (context.isJson) {
    context.printJson({
      http_status: response.httpStatus,
      outcome: reading.outcome,
      reference,
      string_to_sign: request.stringToSign,
      signature: request.signature,
      timings: {
        queue_ms: timings?.queueMs ?? null,
        connect_ms: timings?.connectMs ?? null,
        first_byte_ms: timings?.firstByteMs ?? null,
        download_ms: timings?.downloadMs ?? null,
        total_ms: timings?.totalMs ?? null,
      },
      body: response.body,
    });
  } else {
    context.say(`${response.httpStatus} ${reading.title}, ${Math.round(timings?.totalMs ?? 0)} ms`);
    if (reference !== null) context.say(`reference ${reference}`);
    for (const { field, message } of reading.fieldErrors) context.say(`${field}: ${message}`);
    context.print(response.body);
  }
  return isGood(reading) ? 0 : 1;
}

export const command = defineCommand({
  usage: 'send FILE.http (--env NAME | --base-url URL) [--name REQUEST] [--key PEM] [--var NAME=VALUE]…',
  summary: 'Sign and send a request file; exit code 1 where the service refuses it.',
  notes: serviceNotes,
  options: {
    ...serviceOptions,
    key: keyOption,
    name: { type: 'text', placeholder: 'REQUEST', help: 'Which one, where the file has several' },
    var: {
      type: 'text',
      placeholder: 'NAME=VALUE',
      help: 'Value of a variable, before all others',
      isList: true,
    },
    'callback-url': { type: 'text', placeholder: 'URL', help: 'Value of {{callback_url}}' },
  },
  positionals: [{ name: 'FILE', isRequired: true, help: 'Request file (.http), - for standard input' }],
  async run(context, values, [file = '']) {
    const text = decodeText(await context.readInput(file, 'FILE', { maxBytes: 16 * 1024 * 1024 }), 'FILE');
    const block = chooseRequest(parseHttpFile(text), file, values.name);
    const given = readVariables(values.var);
    const callbackUrl = values['callback-url'];
    if (callbackUrl !== undefined) given['callback_url'] = callbackUrl;
    const folder = file === '-' ? process.cwd() : dirname(resolve(file));
    const session = await openSession(context, values, findEnvironmentFolder(folder) ?? undefined);
    const { clock, random } = session.ports;
    const prepared = prepareRequest(block, {
      variables: session.environment.variables,
      given,
      dynamic: createDynamicValues({ now: () => clock.now(), random }),
    });
    refuseUnresolved(prepared);
    const { operation, method, url, headers, body } = prepared;
    const sending = await session.sending();
    const exchange = await sending.send({
      environment: session.environment.id,
      operation,
      identity: null,
      title: prepared.name ?? file,
      method,
      url,
      headers,
      body,
    });
    session.close();
    return printExchange(context, exchange);
  },
});
