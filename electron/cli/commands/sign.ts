import { defineCommand } from '../command';
import { openServices, withServices } from '../open-services';
import { decodeText } from '../read-input';
import { passphraseNote, readSigningKey } from '../read-keys';
import { usageError } from '../usage-error';

interface Warning {
  code: string;
  message: string;
}

async function findRefusals(
  operation: 'payout' | 'remittance' | undefined,
  body: string,
  amountLiteral: string | undefined,
): Promise<Warning[]> {
  if (operation === undefined) return [];
  const { validateInitiation } = await import('@shared/payments/validate-fields');
  const errors = validateInitiation(operation, JSON.parse(body), amountLiteral);
  return errors.map(({ field, message }) => ({ code: 'field.refused', message: `${field} ${message}` }));
}

export const command = defineCommand({
  usage: 'sign --key PEM --body FILE [--operation payout|remittance]',
  summary: 'Sign the body of a request: prints the Base64 signature for X-Custom-Signature.',
  notes: ['The body is signed byte for byte as the file has it.', passphraseNote],
  options: {
    key: { placeholder: 'PEM', help: 'Private key', isRequired: true },
    body: { placeholder: 'FILE', help: 'Request body, - for standard input', isRequired: true },
    operation: {
      placeholder: 'NAME',
      help: 'Warn of fields that the service would refuse, too',
      choices: ['payout', 'remittance'],
    },
  },
  async run(context, values) {
    if (values.key === '-' && values.body === '-') {
      throw usageError('--key and --body cannot both be standard input.');
    }
    const services = openServices('none', { signingKey: await readSigningKey(context, values.key) });
    const body = decodeText(await context.readInput(values.body, '--body'), '--body');
    const signed = await withServices(services, ({ router }) =>
      router.call('signing.sign', { environment: '', body }),
    );
    const amount = signed.spans.find(({ field }) => field === 'amount');
    const operation = values.operation as 'payout' | 'remittance' | undefined;
    const warnings: Warning[] = [
      ...signed.warnings.map(({ code, message }) => ({ code, message })),
      ...(await findRefusals(operation, body, amount && body.slice(amount.bodyStart, amount.bodyEnd))),
    ];
    if (context.isJson) {
      context.printJson({
        string_to_sign: signed.stringToSign,
        signature: signed.signature,
        key_fingerprint: signed.keyFingerprint,
        spans: signed.spans.map(({ field, pointer, start, end }) => ({ field, pointer, start, end })),
        warnings,
      });
    } else {
      for (const { code, message } of warnings) context.say(`warning: ${message} (${code})`);
      context.print(signed.signature);
    }
    return 0;
  },
});
