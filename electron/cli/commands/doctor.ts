import { resolve } from 'node:path';
import type { DoctorResult } from '@shared/contract/doctor';
import { runDiagnosis, type PlainKey } from '../../platform/run-diagnosis';
import { defineCommand, type CommandContext } from '../command';
import { decodeText } from '../read-input';
import { readVerifyingKey } from '../read-keys';
import { usageError } from '../usage-error';

/** So many earlier requests are tried, as in the app. */
const earlierCount = 300;

async function readPlainKey(context: CommandContext, file: string): Promise<PlainKey> {
  const { publicKeyPem, fingerprint } = await readVerifyingKey(context, file);
  return { pem: publicKeyPem, name: null, environment: null, fingerprint };
}

/** What a data directory adds: the other keys of its vault, and the references that were sent. */
async function readKnown(
  data: string | undefined,
): Promise<Pick<Parameters<typeof runDiagnosis>[0], 'otherKeys' | 'earlier'>> {
  if (data === undefined) return { otherKeys: [], earlier: [] };
  const [{ createNodePorts }, { prepareDataDirectory }, { createEventBus }, vaults, histories] =
    await Promise.all([
      import('../../platform/node-ports'),
      import('../../platform/data-directory'),
      import('../../platform/event-bus'),
      import('../../services/vault/create-vault-service'),
      import('../../services/history/create-history-service'),
    ]);
  const ports = await createNodePorts({
    host: 'cli',
    dataDirectory: prepareDataDirectory(resolve(data)),
    version: '',
  });
  const events = createEventBus();
  const vault = vaults.createVaultService({ ports, events });
  const history = histories.createHistoryService({ ports, events });
  const keys = await vault.listPublicKeys();
  const earlier = history.store.listSigned(earlierCount);
  vault.close();
  history.close();
  return {
    otherKeys: keys.map(({ publicKeyPem, name, environment, fingerprint }) => ({
      pem: publicKeyPem,
      name,
      environment,
      fingerprint,
    })),
    earlier,
  };
}

async function readSignature(
  context: CommandContext,
  text: string | undefined,
  file: string | undefined,
): Promise<string> {
  if ((text === undefined) === (file === undefined)) {
    throw usageError('Give the signature with --signature TEXT or with --signature-file FILE.');
  }
  if (file === undefined) return text ?? '';
  const flag = '--signature-file';
  return decodeText(await context.readInput(file, flag, { maxBytes: 200_000 }), flag);
}

function printResult(context: CommandContext, result: DoctorResult): void {
  if (context.isJson) {
    context.printJson({
      valid: result.valid,
      verdict: result.verdict,
      explanation: result.explanation,
      causes: result.causes.map(({ code, message, expected, actual }) => ({
        code,
        message,
        expected,
        actual,
      })),
      signed_string: result.signedString,
      expected_string: result.expectedString,
      searched: result.searched,
      elapsed_ms: result.elapsedMs,
    });
    return;
  }
  context.print(`${result.verdict}: ${result.explanation}`);
  for (const { code, message } of result.causes) context.print(`- ${message} (${code})`);
  if (result.signedString !== null && result.signedString !== result.expectedString) {
    context.print(`expected: ${JSON.stringify(result.expectedString)}`);
    context.print(`signed:   ${JSON.stringify(result.signedString)}`);
  }
}

export const command = defineCommand({
  usage: 'doctor --public-key PEM --body FILE (--signature TEXT | --signature-file FILE)',
  summary: 'Find out what a signature did sign, and how; exit code 1 unless it is valid.',
  notes: [
    'The signature is taken in any form: wrapped, URL-safe, hex, quoted, with the header name in front.',
  ],
  options: {
    'public-key': { type: 'text', placeholder: 'PEM', help: 'Public key (SPKI)', isRequired: true },
    body: { type: 'text', placeholder: 'FILE', help: 'Request body, - for standard input', isRequired: true },
    signature: { type: 'text', placeholder: 'TEXT', mayBeEmpty: true, help: 'The signature as it came' },
    'signature-file': {
      type: 'text',
      placeholder: 'FILE',
      help: 'A file that holds it, - for standard input',
    },
    claimed: {
      type: 'text',
      placeholder: 'TEXT',
      mayBeEmpty: true,
      help: 'What the other side says it signed',
    },
    'other-key': { type: 'text', placeholder: 'PEM', help: 'Another public key to try', isList: true },
    data: {
      type: 'text',
      placeholder: 'DIR',
      help: 'Try the keys and references of this data directory, too',
    },
  },
  async run(context, values) {
    const inputs = [values['public-key'], values.body, values['signature-file'], ...values['other-key']];
    if (inputs.filter((one) => one === '-').length > 1)
      throw usageError('Only one file can be standard input.');
    const key = await readPlainKey(context, values['public-key']);
    const body = decodeText(await context.readInput(values.body, '--body'), '--body');
    const signature = await readSignature(context, values.signature, values['signature-file']);
    const known = await readKnown(values.data);
    const others = [
      ...(await Promise.all(values['other-key'].map((file) => readPlainKey(context, file)))),
      ...known.otherKeys,
    ];
    const result = await runDiagnosis({
      body,
      signature,
      key: known.otherKeys.find(({ fingerprint }) => fingerprint === key.fingerprint) ?? key,
      otherKeys: others.filter(({ fingerprint }) => fingerprint !== key.fingerprint),
      claimedString: values.claimed ?? null,
      earlier: known.earlier,
    });
    printResult(context, result);
    return result.valid ? 0 : 1;
  },
});
