import type { Journey } from '@shared/contract/journey';
import { AppError } from '@shared/errors';
import { gatherSharedJourney } from '@shared/journey/gather-shared-journey';
import { writeJourneyHtml, writeJourneyMarkdown } from '@shared/journey/write-journey';
import type { Services } from '../../services/create-services';
import { defineCommand } from '../command';
import { openServices, withServices } from '../open-services';
import { toPlainText } from '@shared/plain-text';

/** Finds a payment by its reference, or by any identifier that stands in its messages. */
async function findJourney({ router }: Services, identifier: string): Promise<Journey> {
  try {
    return await router.call('journey.get', { reference: identifier });
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'journey.unknown')) throw error;
    const { journeys } = await router.call('journey.list', { search: identifier, limit: 2 });
    const [found, other] = journeys;
    if (found === undefined) {
      const { webhooks } = await router.call('inbox.list', { search: identifier, limit: 1 });
      const [webhook] = webhooks;
      if (webhook === undefined || webhook.clientReference !== null) throw error;
      throw new AppError(
        'cli.usage',
        `${identifier.slice(0, 100)} stands in a webhook that came here, and it names no reference, by which a journey goes. countersign inbox show ${webhook.id} tells what it says.`,
      );
    }
    if (other !== undefined) {
      throw new AppError(
        'cli.usage',
        `Several payments hold ${identifier.slice(0, 100)}, such as ${found.reference} and ${other.reference}. Name one of them.`,
      );
    }
    return router.call('journey.get', { reference: found.reference });
  }
}

export const command = defineCommand({
  usage: 'journey REFERENCE [--format md|html] [--data DIR]',
  summary: "Tell a payment's timeline: what was sent, answered, received and asked, and what is missing.",
  notes: [
    'Secrets are masked. Any identifier finds it: a payment UUID, an idempotency key, a webhook-id.',
    'Exit code 1 where something is missing or a webhook and a status query disagree; it is said on stderr.',
  ],
  options: {
    data: { placeholder: 'DIR', help: "Data directory; the app's own where left out" },
    format: {
      placeholder: 'F',
      help: 'As Markdown, or as one HTML file that loads nothing',
      choices: ['md', 'html'],
      fallback: 'md',
    },
  },
  positionals: [
    { name: 'REFERENCE', isRequired: true, help: 'Reference, or another identifier of the payment' },
  ],
  async run(context, values, [identifier = '']) {
    const services = openServices({ data: values.data, mustExist: true });
    const shared = await withServices(services, async (open) => {
      const read = (id: string) => open.router.call('history.get', { id, isForScreen: true });
      return gatherSharedJourney(await findJourney(open, identifier), read, Date.now());
    });
    const { journey, remarks } = shared;
    if (context.isJson) context.printJson({ ...journey, remarks });
    else if (values.format === 'html') context.print(writeJourneyHtml(shared));
    else context.print(toPlainText(writeJourneyMarkdown(shared)));
    for (const { text } of remarks) context.say(text);
    return remarks.length === 0 ? 0 : 1;
  },
});
