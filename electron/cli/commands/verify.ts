import { defineCommand } from '../command';
import { openServices, withServices } from '../open-services';
import { decodeText } from '../read-input';
import { readVerifyingKey } from '../read-keys';
import { usageError } from '../usage-error';

export const command = defineCommand({
  usage: 'verify --public-key PEM --body FILE --signature BASE64',
  summary: 'Verify the signature of a request body; exit code 1 where it does not verify.',
  notes: ['Only standard Base64 counts. `countersign doctor` takes signatures in any form and explains.'],
  options: {
    'public-key': { placeholder: 'PEM', help: 'Public key (SPKI)', isRequired: true },
    body: { placeholder: 'FILE', help: 'Request body, - for standard input', isRequired: true },
    signature: {
      placeholder: 'BASE64',
      help: 'Value of X-Custom-Signature',
      isRequired: true,
      mayBeEmpty: true,
    },
  },
  async run(context, values) {
    if (values['public-key'] === '-' && values.body === '-') {
      throw usageError('--public-key and --body cannot both be standard input.');
    }
    const { publicKeyPem } = await readVerifyingKey(context, values['public-key']);
    const body = decodeText(await context.readInput(values.body, '--body'), '--body');
    const { valid, stringToSign, reason } = await withServices(openServices('none'), ({ router }) =>
      router.call('signing.verify', { body, signature: values.signature, publicKeyPem }),
    );
    if (context.isJson) context.printJson({ valid, string_to_sign: stringToSign, reason });
    else context.print(valid ? 'valid' : `not valid: ${reason}`);
    return valid ? 0 : 1;
  },
});
