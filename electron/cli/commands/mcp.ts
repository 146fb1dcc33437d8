import { defineCommand } from '../command';
import { openServices } from '../open-services';
import { passphraseNote, readSigningKey } from '../read-keys';
import {
  findEnvironmentFolder,
  isReadFrom,
  keyOption,
  serviceNotes,
  serviceOptions,
  temporaryName,
} from '../session';
import { usageError } from '../usage-error';

export const command = defineCommand({
  usage: 'mcp [--data DIR] [--base-url URL] [--key PEM] [--allow-send]',
  summary:
    'Serve signatures, sandbox, webhooks and requests to a coding agent, by the Model Context Protocol.',
  notes: [
    'It speaks on standard input and output, and ends with its client. Configure it there as the command countersign with the argument mcp.',
    'It reads alone. With --allow-send request files may be sent, never to production.',
    'Secrets come by environment variables, and stand in no answer. COUNTERSIGN_ADMIN_TOKEN lets it ask a running sandbox.',
    ...serviceNotes,
    passphraseNote,
  ],
  options: {
    data: serviceOptions.data,
    'base-url': {
      ...serviceOptions['base-url'],
      help: "Base address of the service; the active environment's where left out",
    },
    key: keyOption,
    'allow-send': { type: 'flag', help: 'Let the agent send request files, never to production' },
    json: { type: 'flag', help: 'Why it cannot start as JSON, too; what it answers to a client always is' },
  },
  async run(context, values) {
    const { data, key, 'base-url': baseUrl, 'allow-send': maySend } = values;
    if (key === '-') throw usageError('--key names a file: standard input belongs to the client.');
    const ended = context.waitForEnd();
    const signingKey = key === undefined ? null : await readSigningKey(context, key);
    const choice = { data, mustExist: isReadFrom(data, baseUrl) };
    const services = openServices(baseUrl !== undefined && data === undefined ? 'none' : choice, {
      signingKey,
      environment: baseUrl === undefined ? null : { name: temporaryName, baseUrl },
      collectionDirectory: findEnvironmentFolder(process.cwd()),
    });
    const { createSecretHiding } = await import('../mcp/fit-answer');
    const { serveMcp } = await import('../mcp/serve-mcp');
    const given = { data, 'base-url': baseUrl, key };
    try {
      const failure = await serveMcp(
        {
          context,
          services,
          base: process.cwd(),
          maySend,
          baseUrl,
          serviceArguments: listServiceArguments(given),
          readHiding: async () =>
            createSecretHiding(context.environment, await services.listSecretsThere(null)),
        },
        ended,
      );
      if (failure !== null) context.say(`The connection was ended: ${failure}`);
      return failure === null ? 0 : 2;
    } finally {
      await services.close();
    }
  },
});

/** As `countersign run` takes them. */
function listServiceArguments(given: {
  data: string | undefined;
  'base-url': string | undefined;
  key: string | undefined;
}): string[] {
  const { data, ...others } = given;
  return Object.entries({ 'data-directory': data, ...others }).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}=${value}`],
  );
}
