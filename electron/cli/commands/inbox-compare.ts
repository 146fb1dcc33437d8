import {
  compareJsonTexts,
  findFirstByte,
  meanSame,
  MOST_DIFFERENCES,
  type JsonDifference,
  type JsonDifferenceKind,
} from '@shared/webhooks/compare-json';
import { defineCommand } from '../command';
import { toPlainLine } from '@shared/plain-text';
import { dataOption, storeNotes, storeOption, withInbox, type WholeWebhook } from '../stored-webhooks';

const kinds: Readonly<Record<JsonDifferenceKind, string>> = {
  changed: 'changed',
  written: 'same value, written otherwise',
  added: 'only in the second',
  removed: 'only in the first',
  moved: 'other order',
};

const bytesOf = ({ bodyBase64 }: WholeWebhook): Buffer => Buffer.from(bodyBase64, 'base64');

function describeDifference({ pointer, kind, left, right }: JsonDifference): string {
  const place = pointer === '' ? 'the whole' : pointer;
  return toPlainLine(`${place}  ${kinds[kind]}  ${left ?? '–'}  →  ${right ?? '–'}`);
}

export const command = defineCommand({
  usage: 'inbox compare ID OTHER [--data DIR|--store URL]',
  summary: 'Compare the bodies of two webhooks; exit code 1 where they do not mean the same.',
  notes: [
    'JSON is compared by meaning: a number that is written otherwise and members in another order are told, and count as the same. ' +
      'What is not JSON is compared by its bytes. `inbox show` compares one with the schema.',
    ...storeNotes,
  ],
  options: { data: dataOption, store: storeOption },
  positionals: [
    { name: 'ID', isRequired: true, help: 'As `inbox list` tells it' },
    { name: 'OTHER', isRequired: true, help: 'The one that it is compared with' },
  ],
  async run(context, values, [first = '', second = '']) {
    const [left, right] = await withInbox(values, async ({ router }) => [
      await router.call('inbox.get', { id: first, isWhole: true }),
      await router.call('inbox.get', { id: second, isWhole: true }),
    ]);
    const firstByte = findFirstByte(bytesOf(left!), bytesOf(right!));
    const { differences, whyNot } = compareJsonTexts(left!.body, right!.body);
    const isSame = differences === null ? firstByte === null : meanSame(differences);
    if (context.isJson) {
      context.printJson({ is_same: isSame, first_byte: firstByte, differences });
    } else {
      const bytes =
        firstByte === null ? 'The bytes are the same' : `The bytes differ from byte ${firstByte} on`;
      context.print(`${bytes}${whyNot === null ? '' : `; ${whyNot}`}.`);
      for (const difference of differences ?? []) context.print(describeDifference(difference));
      if ((differences?.length ?? 0) >= MOST_DIFFERENCES)
        context.print(`These are the first ${MOST_DIFFERENCES} of a sort; there may be more.`);
    }
    return isSame ? 0 : 1;
  },
});
