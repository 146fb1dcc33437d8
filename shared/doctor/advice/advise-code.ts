import {
  writeCSharpLiteral,
  writeGoLiteral,
  writeJavaLiteral,
  writeNodeLiteral,
  writePhpLiteral,
  writePythonLiteral,
  type WriteLiteral,
} from '../../signing/snippets/text-literals';
import { CAUSE_CODES, CAUSES, type CauseCode, type CodeTopic } from '../causes';
import type { AdviceLanguage, LanguageAdvice } from './code-topics';
import { csharpAdvice } from './csharp-advice';
import { goAdvice } from './go-advice';
import { javaAdvice } from './java-advice';
import { nodeAdvice } from './node-advice';
import { phpAdvice } from './php-advice';
import { pythonAdvice } from './python-advice';

/** A line of code as a difference shows it. */
export interface AdviceLine {
  readonly kind: 'remove' | 'add' | 'keep';
  readonly code: string;
}

const LANGUAGES: Readonly<Record<AdviceLanguage, { advice: LanguageAdvice; literal: WriteLiteral }>> = {
  node: { advice: nodeAdvice, literal: writeNodeLiteral },
  python: { advice: pythonAdvice, literal: writePythonLiteral },
  java: { advice: javaAdvice, literal: writeJavaLiteral },
  php: { advice: phpAdvice, literal: writePhpLiteral },
  go: { advice: goAdvice, literal: writeGoLiteral },
  csharp: { advice: csharpAdvice, literal: writeCSharpLiteral },
};

/** Lines in the order in which code runs. */
const TOPIC_ORDER: readonly CodeTopic[] = [
  'reference',
  'amount',
  'country',
  'join',
  'bytes',
  'key',
  'sign',
  'encode',
  'header',
];
/** Lines shown around a change, so that one sees where it belongs. */
const ALWAYS: readonly CodeTopic[] = ['join', 'sign', 'encode'];

/** A digest was signed: the hash that is named beside it may be its own, and then that of the signature is right. */
const DIGEST_CAUSES: readonly CauseCode[] = ['hash.double', 'hash.hex_text', 'hash.base64_text'];

/**
 * Writes what to change in code, as a difference.
 *
 * @param causes - as the doctor names them; codes that are not on its list are passed over
 */
export function adviseCode(
  language: AdviceLanguage,
  causes: readonly { readonly code: string; readonly actual: string | null }[],
): AdviceLine[] {
  const { advice, literal } = LANGUAGES[language];
  const byTopic = new Map<CodeTopic, { code: CauseCode; actual: string | null }>();
  for (const { code, actual } of causes) {
    const known = CAUSE_CODES.find((one) => one === code);
    if (known === undefined || (byTopic.has(CAUSES[known].topic) && !DIGEST_CAUSES.includes(known))) continue;
    byTopic.set(CAUSES[known].topic, { code: known, actual });
  }
  return TOPIC_ORDER.flatMap((topic): AdviceLine[] => {
    const cause = byTopic.get(topic);
    const right = advice.right[topic];
    if (cause === undefined) return ALWAYS.includes(topic) ? [{ kind: 'keep', code: right }] : [];
    const isComment =
      advice.wrong[cause.code].includes('// %actual%') || advice.wrong[cause.code].includes('# %actual%');
    const actual = cause.actual ?? '';
    const wrong = advice.wrong[cause.code].replace('%actual%', () => (isComment ? actual : literal(actual)));
    return [
      { kind: 'remove', code: wrong },
      { kind: 'add', code: right },
    ];
  });
}
