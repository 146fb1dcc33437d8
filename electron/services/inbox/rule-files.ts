import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { toErrorReply } from '@shared/errors';
import { MAX_RULES_LENGTH, parseRules } from '@shared/webhooks/rules/parse-rules';
import { readPlainFile } from '../../platform/files/follow-file';
import { writeFileDurably } from '../../platform/files/files';

/** The rules of one address, and what is wrong with them. */
export interface KeptRules {
  readonly text: string;
  /** Null: they are in force. */
  readonly fault: string | null;
  readonly count: number;
}

const NO_RULES: KeptRules = { text: '', fault: null, count: 0 };

/** Keeps the answer rules of each address in a file of its own, in the form that `listen --rules` reads and a team shares. */
export class RuleFiles {
  readonly #memory = new Map<string, string>();

  /** @param directory - null: they are kept in memory alone */
  constructor(private readonly directory: string | null) {}

  read(id: string): KeptRules {
    let text = '';
    try {
      text = this.#readText(id);
      return text === '' ? NO_RULES : { text, fault: null, count: parseRules(text).length };
    } catch (error) {
      return {
        text: text === '' ? this.#readAnyway(id) : text,
        fault: toErrorReply(error).message,
        count: 0,
      };
    }
  }

  /** Keeps other rules; an empty text is none. @throws {AppError} `listener.bad_rules`, `platform.*` */
  write(id: string, text: string): void {
    if (text !== '') parseRules(text);
    const file = this.#fileOf(id);
    if (file === null) this.#memory.set(id, text);
    else if (text === '') rmSync(file, { force: true });
    else writeFileDurably(file, text);
  }

  #readText(id: string): string {
    const file = this.#fileOf(id);
    if (file === null) return this.#memory.get(id) ?? '';
    return existsSync(file) ? readPlainFile(file, MAX_RULES_LENGTH) : '';
  }

  /** What cannot be used is shown all the same, as far as it can be. */
  #readAnyway(id: string): string {
    try {
      return readFileSync(this.#fileOf(id)!).subarray(0, MAX_RULES_LENGTH).toString('utf8');
    } catch {
      return '';
    }
  }

  #fileOf(id: string): string | null {
    const name = id === 'main' ? 'answer-rules.json' : `answer-rules-${id}.json`;
    return this.directory === null ? null : join(this.directory, name);
  }
}
