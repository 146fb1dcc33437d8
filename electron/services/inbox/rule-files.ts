import { rmSync } from 'node:fs';
import { join, parse } from 'node:path';
import { AppError } from '@shared/errors';
import { MAX_RULES_LENGTH, parseRules } from '@shared/webhooks/rules/parse-rules';
import { endSentence } from '@shared/end-sentence';
import { followFile, readPlainFile } from '../../platform/files/follow-file';
import { followLink, isFileThere, writeFileDurably } from '../../platform/files/files';
import { readRegularFile } from '../../platform/files/regular-file';

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
        fault: this.#describe(id, error as Error),
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
    else writeFileDurably(followLink(file), text, { keepsMode: true });
  }

  /** Tells when the file of an address may have changed, whoever wrote it, until stopped. */
  follow(id: string, onChange: () => void): () => void {
    const file = this.#fileOf(id);
    return file === null ? () => undefined : followFile(file, MAX_RULES_LENGTH, onChange);
  }

  #readText(id: string): string {
    const file = this.#fileOf(id);
    if (file === null) return this.#memory.get(id) ?? '';
    return isFileThere(file) ? readPlainFile(file, MAX_RULES_LENGTH) : '';
  }

  #describe(id: string, error: Error): string {
    if (error instanceof AppError) return error.message;
    return `The rules cannot be read: ${endSentence(error.message)} Correct ${this.#fileOf(id)}, or take it away.`;
  }

  /** What cannot be used is shown all the same, as far as it can be. */
  #readAnyway(id: string): string {
    const file = this.#fileOf(id);
    if (file === null) return '';
    const limits = { root: parse(file).root, maxBytes: MAX_RULES_LENGTH, isHeadEnough: true };
    return readRegularFile(file, limits).bytes?.toString('utf8') ?? '';
  }

  #fileOf(id: string): string | null {
    const name = id === 'main' ? 'answer-rules.json' : `answer-rules-${id}.json`;
    return this.directory === null ? null : join(this.directory, name);
  }
}
