import type { CommandContext } from './command';

/** So much of what nobody reads waits in memory; of more than that it is said that it is missing. */
const MOST_UNREAD_BYTES = 8 * 1024 * 1024;
/** When lines are written again: whoever reads slowly is not told of every gap. */
const FEW_UNREAD_BYTES = 1024 * 1024;

type Lines = Pick<CommandContext, 'print' | 'printJson' | 'unreadBytes' | 'say'>;

/**
 * Gives a context for lines that tell what goes on, for as long as a command runs: where nobody reads stdout they are left
 * out and counted instead of waiting in memory without a limit. Beginning and end of that are said on stderr.
 */
export function leaveOutUnread<T extends Lines>(context: T): T {
  let leftOut = 0;
  const isWritten = (): boolean => {
    if (context.unreadBytes() > (leftOut === 0 ? MOST_UNREAD_BYTES : FEW_UNREAD_BYTES)) {
      if (leftOut === 0) context.say('Stdout is not read, or too slowly: lines are left out from now on.');
      leftOut += 1;
      return false;
    }
    if (leftOut > 0) context.say(`${leftOut} ${leftOut === 1 ? 'line was' : 'lines were'} left out.`);
    leftOut = 0;
    return true;
  };
  return {
    ...context,
    print: (line) => void (isWritten() && context.print(line)),
    printJson: (value) => void (isWritten() && context.printJson(value)),
  };
}
