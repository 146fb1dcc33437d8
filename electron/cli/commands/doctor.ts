import type { DoctorResult } from '@shared/contract/doctor';
import { doctorLimits } from '@shared/contract/doctor-limits';
import { nameCause } from '@shared/doctor/causes';
import { verdictWords } from '@shared/doctor/words';
import { defineCommand, type CommandContext } from '../command';
import { describeDiagnosis } from '../describe-diagnosis';
import { openServices, withServices } from '../open-services';
import { decodeText } from '../read-input';
import { readVerifyingKey } from '../read-keys';
import { usageError } from '../usage-error';

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
  const held = decodeText(await context.readInput(file, flag, { maxBytes: 200_000 }), flag);
  // It is the file's: every program that writes a line ends it so.
  return held.replace(/\r?\n$/, '');
}

function printResult(context: CommandContext, result: DoctorResult): void {
  if (context.isJson) {
    context.printJson(describeDiagnosis(result));
    return;
  }
  context.print(`${verdictWords[result.verdict]}: ${result.explanation}`);
  if ((result.planned ?? null) !== null)
    context.say(
      `The search ended after ${Math.round(result.elapsedMs / 1000)} s: --search-for SECONDS lets it go on.`,
    );
  if (result.causes.length > 0)
    context.print(`causes: ${result.causes.map(({ code }) => `${nameCause(code)} (${code})`).join(', ')}`);
  if (result.signedString !== null && result.signedString !== result.expectedString) {
    context.print(`expected: ${JSON.stringify(result.expectedString)}`);
    context.print(`signed:   ${JSON.stringify(result.signedString)}`);
  }
}

function readMostMs(seconds: number | undefined): number | undefined {
  if (seconds === undefined) return undefined;
  const [least, most] = [doctorLimits.usualMs / 1000, doctorLimits.mostMs / 1000];
  if (seconds < least || seconds > most)
    throw usageError(`--search-for takes ${least} to ${most} seconds, not ${seconds}.`);
  return seconds * 1000;
}

const knownVariables = {
  COUNTERSIGN_TOKEN: 'the bearer token',
  COUNTERSIGN_CONSUMER_KEY: 'the consumer key',
  COUNTERSIGN_CONSUMER_SECRET: 'the consumer secret',
};

/** What the code which signs has at hand, too. */
function readKnown({ environment }: CommandContext): { name: string; text: string }[] {
  return Object.entries(knownVariables).flatMap(([variable, name]) => {
    const text = environment[variable] ?? '';
    return text === '' || text.length > 20_000 ? [] : [{ name, text }];
  });
}

export const command = defineCommand({
  usage: 'doctor --public-key PEM --body FILE (--signature TEXT | --signature-file FILE)',
  summary: 'Find out what a signature did sign, and how; exit code 1 unless it is valid.',
  notes: [
    'The signature is taken in any form: wrapped, URL-safe, hex, quoted, with the header name in front.',
    'A token or credential that may stand in what was signed is taken from COUNTERSIGN_TOKEN, COUNTERSIGN_CONSUMER_KEY and COUNTERSIGN_CONSUMER_SECRET.',
  ],
  options: {
    'public-key': { placeholder: 'PEM', help: 'Public key (SPKI)', isRequired: true },
    body: { placeholder: 'FILE', help: 'Request body, - for standard input', isRequired: true },
    signature: { placeholder: 'TEXT', mayBeEmpty: true, help: 'The signature as it came' },
    'signature-file': {
      placeholder: 'FILE',
      help: 'A file that holds it, - for standard input',
    },
    claimed: {
      placeholder: 'TEXT',
      mayBeEmpty: true,
      help: 'What the other side says it signed',
    },
    'other-key': { placeholder: 'PEM', help: 'Another public key to try', isList: true },
    'search-for': {
      type: 'integer',
      placeholder: 'SECONDS',
      help: `Search so long at most, ${doctorLimits.usualMs / 1000} to ${doctorLimits.mostMs / 1000} (default ${doctorLimits.usualMs / 1000})`,
    },
    data: {
      placeholder: 'DIR',
      help: 'Try the keys and references of this data directory, too',
    },
  },
  async run(context, values) {
    const inputs = [values['public-key'], values.body, values['signature-file'], ...values['other-key']];
    if (inputs.filter((one) => one === '-').length > 1)
      throw usageError('Only one file can be standard input.');
    const mostMs = readMostMs(values['search-for']);
    const readPem = async (file: string, flag: string): Promise<string> =>
      (await readVerifyingKey(context, file, flag)).publicKeyPem;
    const question = {
      diagnosisId: 'command line',
      publicKeyPem: await readPem(values['public-key'], '--public-key'),
      body: decodeText(await context.readInput(values.body, '--body'), '--body'),
      signature: await readSignature(context, values.signature, values['signature-file']),
      claimedString: values.claimed,
      known: readKnown(context),
      mostMs,
      otherKeys: await Promise.all(values['other-key'].map((file) => readPem(file, '--other-key'))),
    };
    const services = openServices(
      values.data === undefined ? 'none' : { data: values.data, mustExist: true },
    );
    const result = await withServices(services, ({ router }) => router.call('doctor.diagnose', question));
    printResult(context, result);
    return result.valid ? 0 : 1;
  },
});
