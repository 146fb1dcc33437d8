import { isRecord } from '@shared/json/is-record';
import type { EnvironmentDraft } from './environment-draft';

/** What was typed into the form of an environment, and `over` what was saved then. */
export interface TypedEnvironment extends Partial<EnvironmentDraft> {
  over?: EnvironmentDraft;
}

/**
 * Puts what was typed over what is saved now, perhaps by another window or a command since.
 *
 * Of values, states and the set-up what was not touched is as it is saved: the whole of them, as they were typed over,
 * would take away what came meanwhile, secrets of the vault among it.
 */
export function followSaved({ over, ...typed }: TypedEnvironment, saved: EnvironmentDraft): EnvironmentDraft {
  const draft = { ...saved, ...typed };
  if (over === undefined) return draft;
  return {
    ...draft,
    variables: mergeLines(over.variables, typed.variables, saved.variables),
    webhookStates: mergeLines(over.webhookStates, typed.webhookStates, saved.webhookStates),
    setup: mergeValues(over.setup, typed.setup ?? over.setup, saved.setup),
  };
}

const nameOf = (line: string): string => line.split('=', 1)[0]!.trim();

const byName = (text: string): Map<string, string> => {
  const lines = text.split('\n').filter((line) => nameOf(line) !== '');
  return new Map(lines.map((line) => [nameOf(line), line]));
};

function mergeLines(over: string, typed: string | undefined, saved: string): string {
  if (typed === undefined || over === saved) return typed ?? saved;
  const [was, is, now] = [byName(over), byName(typed), byName(saved)];
  const lines = typed.split('\n').flatMap((line) => {
    const name = nameOf(line);
    return was.get(name) === line ? (now.get(name) ?? []) : line;
  });
  const come = [...now].filter(([name]) => !was.has(name) && !is.has(name)).map(([, line]) => line);
  return [...lines, ...come].join('\n');
}

function mergeValues<T>(over: T, typed: T, saved: T): T {
  if (JSON.stringify(typed) === JSON.stringify(over)) return saved;
  if (!isRecord(over) || !isRecord(typed) || !isRecord(saved)) return typed;
  const names = [...new Set([...Object.keys(saved), ...Object.keys(typed)])];
  return Object.fromEntries(
    names.map((name) => [name, mergeValues(over[name], typed[name], saved[name])]),
  ) as T;
}
