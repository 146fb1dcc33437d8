import { AppError, toErrorReply } from '@shared/errors';
import { toPlainLine } from '@shared/plain-text';
import { MAX_RULES_LENGTH, parseRules } from '@shared/webhooks/rules/parse-rules';
import { endSentence } from '@shared/end-sentence';
import { followFile, readPlainFile } from '../platform/files/follow-file';
import type { CommandContext } from './command';

/** Reads a file of answer rules. @throws {AppError} `cli.unreadable_file`, `listener.bad_rules` */
export function readRules(file: string): string {
  let text: string;
  try {
    text = readPlainFile(file, MAX_RULES_LENGTH);
  } catch (error) {
    throw new AppError(
      'cli.unreadable_file',
      `--rules: cannot read ${file}: ${endSentence((error as Error).message)}`,
      {
        cause: error,
      },
    );
  }
  parseRules(text);
  return text;
}

/** Puts each change of a file of rules in force; a faulty one is told, and the rules before it stay. */
export function followRules(
  context: Pick<CommandContext, 'say'>,
  file: string,
  setRules: (text: string) => void,
): () => void {
  return followFile(file, MAX_RULES_LENGTH, (text) => {
    try {
      if (text instanceof Error)
        throw new AppError('cli.unreadable_file', `${file} cannot be read: ${endSentence(text.message)}`);
      setRules(text);
      const { length } = parseRules(text);
      context.say(`The rules have changed: ${length === 1 ? '1 is' : `${length} are`} in force.`);
    } catch (error) {
      context.say(toPlainLine(`${toErrorReply(error).message} The rules before this change stay in force.`));
    }
  });
}
