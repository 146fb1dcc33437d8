import { dynamicValueNames } from '@shared/http-file/dynamic-values';
import type { CompletionSources } from '@shared/body/complete-body';
import { variableFor } from '@shared/body/edit-body';
import { lastReference } from '@shared/http-file/last-reference';
import type { FixSources } from '@shared/body/fix-value';
import { isSecretName, maskSecret } from '@shared/secrets';
import type { Completion } from '@shared/body/complete-variable';
import type { EditorAssist } from '../../../ui/code-editor/editor-props';
import { useAppStatus } from '../../../session/app-status';
import { readCollectionValues } from '../../../session/environments';
import { selectActiveTab } from '../requests-selectors';
import { useRequestsStore } from '../requests-store';
import { findCheckedOperation } from './checked-operation';
import { describeValueAt, type ValueSources } from './describe-value';
import type { BodyProblem, RequestInsight } from './inspect-request';
import { loadBodyKnowledge } from './load-body-knowledge';

/** Clock, chance, and what a field begins with: a variable where this request knows one for it. */
export function readFixSources(insight: RequestInsight): FixSources {
  const names = new Set(Object.keys(readVariables(insight)));
  return {
    now: () => Date.now(),
    uuid: () => crypto.randomUUID(),
    sample: (rule) => {
      const name = rule.name === 'transaction_reference' ? lastReference : rule.name;
      return variableFor(rule) ?? (names.has(name) ? `{{${name}}}` : null);
    },
  };
}

/** The collection's, the environment's before them, then the file's own, and those of this run before all. */
function readVariables({ block }: RequestInsight): Record<string, string> {
  const tab = selectActiveTab(useRequestsStore.getState());
  const own = block?.fileVariables.map(({ name, value }) => [name, value] as const) ?? [];
  const environment = useAppStatus.getState().status?.environment;
  const collection = tab ? readCollectionValues(tab.collectionId) : {};
  return { ...collection, ...environment?.variables, ...Object.fromEntries(own), ...environment?.session };
}

/** Every variable that may stand in a request, with its value or what it gives. */
export function listVariables(insight: RequestInsight): CompletionSources['variables'] {
  const named = Object.entries(readVariables(insight)).map(([name, value]) => ({
    name,
    detail: isSecretName(name) ? maskSecret(value) : value.slice(0, 80),
  }));
  return [...named.toSorted((a, b) => a.name.localeCompare(b.name)), ...dynamicValueNames];
}

/** Completion, description and fixes for the body of a request as it is at this moment. */
export function createBodyAssist(
  insight: RequestInsight,
  problems: readonly BodyProblem[],
  sources: ValueSources,
): EditorAssist {
  const operation = findCheckedOperation(insight);
  return {
    complete: async (text, offset) => {
      const { completeBody, readUsedValues } = await loadBodyKnowledge();
      const used = await readUsedValues(operation);
      const variables = listVariables(insight);
      return completeBody(operation, text, offset, { ...readFixSources(insight), variables, used });
    },
    describe: async (text, offset) =>
      describeValueAt(text, offset, sources) ??
      (await loadBodyKnowledge()).describeBody(operation, text, offset),
    fix: (offset) => problems.flatMap((problem) => offerFixes(problem, offset)),
  };
}

function offerFixes({ range, fixes, message }: BodyProblem, offset: number): Completion[] {
  if (range === null || offset < range.start || offset > range.end) return [];
  return fixes.map(({ label, start, end, text }) => ({
    label,
    detail: message,
    start,
    end,
    text,
    caret: text.length,
  }));
}
