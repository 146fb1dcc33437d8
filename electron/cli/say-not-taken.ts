import { toPlainLine } from '@shared/plain-text';
import { gatherNotTaken } from '../listener/gather-not-taken';
import type { NotTaken } from '../listener/webhook-server';
import type { CommandContext } from './command';

/** Says what an address was sent and is not kept: its sender alone would know. */
export const sayNotTaken = (
  context: Pick<CommandContext, 'say'>,
): ((id: string, request: NotTaken) => void) =>
  gatherNotTaken((counts) => {
    for (const { count, latest } of Object.values(counts)) {
      const { httpStatus, reason, remoteAddress } = latest;
      const what = count === 1 ? 'A request was not taken' : `${count} requests were not taken, the latest`;
      const facts = [httpStatus, remoteAddress && `from ${remoteAddress}`].filter(Boolean).join(', ');
      context.say(toPlainLine(`${what}: ${reason}${facts && ` (${facts})`}.`));
    }
  });
