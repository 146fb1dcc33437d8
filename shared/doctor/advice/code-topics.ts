import type { CauseCode, CodeTopic } from '../causes';

/** Languages that the doctor shows changes for. */
export const ADVICE_LANGUAGES = ['node', 'python', 'java', 'php', 'go', 'csharp'] as const;
export type AdviceLanguage = (typeof ADVICE_LANGUAGES)[number];

/** How code in one language gets each line right, and what it looks like when it goes wrong. */
export interface LanguageAdvice {
  readonly label: string;
  /** A Monaco language id. */
  readonly syntax: string;
  readonly right: Readonly<Record<CodeTopic, string>>;
  /** `%actual%` stands for what was signed, as a literal. */
  readonly wrong: Readonly<Record<CauseCode, string>>;
}
