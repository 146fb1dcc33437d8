import { resolve } from 'node:path';
import type { UpdateCheck } from '@shared/contract/updates';
import { defineCommand, type CommandContext } from '../command';
import { openServices, withServices } from '../open-services';
import { usageError } from '../usage-error';

const MOST_KEY_BYTES = 1000;

function tellCheck(context: CommandContext, check: UpdateCheck): void {
  const { current, latest, isNewer, released, notes, files } = check;
  if (context.isJson) {
    context.printJson({
      current,
      latest,
      is_newer: isNewer,
      released,
      notes,
      files: files.map(({ name, sizeBytes, isForThisSystem }) => ({
        name,
        size_bytes: sizeBytes,
        is_for_this_system: isForThisSystem,
      })),
    });
    return;
  }
  if (!isNewer) {
    context.print(
      `Nothing newer is told of: the notice is of ${latest}, released on ${released}; this is ${current}.`,
    );
    return;
  }
  context.print(`${latest} of ${released} is newer than this, ${current}.`);
  if (notes !== '') context.print(notes);
  for (const { name, isForThisSystem } of files)
    if (isForThisSystem) context.print(`countersign update download ${name}`);
}

export const command = defineCommand({
  usage: 'update check|download NAME|set URL [--public-key PEM] [--data DIR]',
  summary: 'Look for a newer release at the address that you set, and fetch it.',
  notes: [
    'Nothing is asked until an address is set, and then only by this command or the button in Settings. Nothing is ever installed by itself.',
    'A release counts only if it is signed (Ed25519) with the key that was set; a file only if it is what was signed.',
    "set URL takes the address of the publisher's latest.json and --public-key; set off forgets both.",
  ],
  options: {
    'public-key': { placeholder: 'PEM', help: "For set: file of the publisher's public key" },
    data: { placeholder: 'DIR', help: "Data folder; the app's own where left out" },
  },
  positionals: [
    { name: 'ACTION', isRequired: true, help: 'What to do', choices: ['check', 'download', 'set'] },
    { name: 'NAME|URL', isRequired: false, help: 'The file to fetch, or the address' },
  ],
  async run(context, values, [action = '', given = '']) {
    if ((given === '') !== (action === 'check'))
      throw usageError(
        action === 'check'
          ? 'update check takes nothing else.'
          : `update ${action} takes a ${action === 'set' ? 'URL, or off' : 'NAME'}.`,
      );
    const pem = values['public-key'];
    if ((pem !== undefined) !== (action === 'set' && given !== 'off'))
      throw usageError(
        'update set URL takes --public-key PEM, the file of the publisher’s public key; nothing else takes it.',
      );
    const services = openServices({ data: values.data, mustExist: action !== 'set' });
    return withServices(services, async ({ router }): Promise<0> => {
      if (action === 'check') tellCheck(context, await router.call('updates.check', {}));
      if (action === 'download') {
        const { file, sha512 } = await router.call('updates.download', { name: given });
        if (context.isJson) context.printJson({ event: 'downloaded', file, sha512 });
        else
          context.print(
            `${file}\nIt is what the publisher signed. Nothing was installed: open it when you like.`,
          );
      }
      if (action === 'set') {
        const isOff = given === 'off';
        const key = isOff
          ? ''
          : Buffer.from(
              await context.readInput(resolve(pem!), '--public-key', { maxBytes: MOST_KEY_BYTES }),
            ).toString('utf8');
        await router.call('updates.setSource', { address: isOff ? '' : given, publicKeyPem: key });
        context.say(isOff ? 'No updates are looked for.' : 'Set. countersign update check asks.');
      }
      return 0;
    });
  },
});
