import { findNodeAtLocation, parse, parseTree, type ParseError } from 'jsonc-parser';
import type { ImportNote } from '@shared/import/imported';
import type { ImportPlan } from '@shared/import/layout/lay-out';
import type { PlannedEnvironment } from '@shared/import/layout/plan-environments';
import { isRecord } from '@shared/json/is-record';
import { maxEnvironmentFileBytes } from '../environments/collection-environments';
import { describeParseFault } from '../../platform/files/json-parse-fault';
import { isTooDeep } from '../../platform/files/json-depth';
import { errorsOf } from '../errors-of';
import { isSecretName } from '@shared/secrets';
import { setMember } from './set-member';

const ImportError = errorsOf<'imports'>();

export const environmentsFile = 'http-client.env.json';

/**
 * Adds environments to those of a collection; what stands there already keeps its value, and a note says so.
 *
 * @param text - of the file as it is; null: there is none yet
 * @throws {AppError} `import.not_readable` where the file that is there is no JSON
 */
export function mergeEnvironments(
  text: string | null,
  environments: readonly PlannedEnvironment[],
): { text: string; notes: ImportNote[] } {
  let merged = text ?? '{}\n';
  const notes: ImportNote[] = [];
  const known = readKnown(merged);
  for (const { name, variables } of environments) {
    const own = known.get(name);
    if (own === undefined) {
      merged = setMember(merged, [name], variables);
      continue;
    }
    const all = Object.entries(variables);
    merged = addMembers(
      merged,
      name,
      all.filter(([variable]) => !Object.hasOwn(own, variable)),
    );
    for (const [variable, value] of all) {
      if (Object.hasOwn(own, variable) && String(own[variable]) !== value)
        notes.push({ where: name, what: describeKept(variable, value) });
    }
  }
  if (merged !== text && Buffer.byteLength(merged) > maxEnvironmentFileBytes) {
    throw new ImportError(
      'import.too_large',
      `${environmentsFile} would be larger than 1 MiB with these environments, and could not be read. Nothing was imported.`,
    );
  }
  return { text: merged.endsWith('\n') ? merged : `${merged}\n`, notes };
}

/** What was to stand for a secret of the import stands for something else. */
function describeKept(variable: string, given: string): string {
  const secret = /^\{\{([^{}]+)\}\}$/.exec(given)?.[1] ?? '';
  const how = isSecretName(secret) ? `: write ${given} in a request that is to have the imported one` : '';
  return `${variable} is there already, and keeps its value${how}.`;
}

/**
 * Gives environments that come by themselves, and that nothing tells an address of, that of the collection they join, where all
 * that is there has the same.
 *
 * Their secrets are for an address, too: for one that is given with them. What stands in the folder already, somebody else may
 * have written, so they wait for the user's word.
 * @param text - of the file as it is; null: there is none yet
 * @param before - addresses of what is imported together with them, which will be there by then
 */
export function takeAddress<Plan extends ImportPlan>(
  plan: Plan,
  text: string | null,
  before: readonly string[] = [],
): Plan {
  const open = plan.sealed.filter(({ baseUrl }) => baseUrl === '').map(({ environment }) => environment);
  if (open.length === 0 || plan.counts.requests > 0) return plan;
  const there = [...readKnown(text ?? '{}').values()];
  const found: unknown[] = [
    ...there.flatMap((one) => (isRecord(one) ? (one['base_url'] ?? []) : [])),
    ...before,
  ];
  const [baseUrl] = found;
  if (typeof baseUrl !== 'string' || !URL.canParse(baseUrl) || found.some((one) => one !== baseUrl))
    return plan;
  const isOpen = (name: string): boolean => open.includes(name);
  const isGiven = before.includes(baseUrl);
  return {
    ...plan,
    environments: plan.environments.map(({ name, variables }) =>
      isOpen(name) ? { name, variables: { ...variables, base_url: baseUrl } } : { name, variables },
    ),
    sealed: plan.sealed.map((one) => (isGiven && isOpen(one.environment) ? { ...one, baseUrl } : one)),
    notes: [
      ...plan.notes,
      ...open.map((where) => ({
        where,
        what: `It had no base_url: ${baseUrl} is added, as the collection it joins has it.`,
      })),
    ],
  };
}

/** Puts members behind the last of an object, all at once: to read the text again for each takes minutes where there are thousands. */
function addMembers(text: string, name: string, members: readonly (readonly [string, string])[]): string {
  const root = parseTree(text, [], { allowTrailingComma: true });
  const node = root && findNodeAtLocation(root, [name]);
  if (members.length === 0 || node?.type !== 'object') return text;
  const last = node.children?.at(-1);
  const at = last === undefined ? node.offset + 1 : last.offset + last.length;
  const lines = members.map(([key, value]) => `\n    ${JSON.stringify(key)}: ${JSON.stringify(value)}`);
  const end = last === undefined ? '\n  ' : '';
  return `${text.slice(0, at)}${last === undefined ? '' : ','}${lines.join(',')}${end}${text.slice(at)}`;
}

function readKnown(text: string): Map<string, Record<string, unknown>> {
  const errors: ParseError[] = [];
  const value: unknown = isTooDeep(text) ? null : parse(text, errors, { allowTrailingComma: true });
  const [error] = errors;
  if (error === undefined && isRecord(value)) {
    return new Map(Object.entries(value as Record<string, Record<string, unknown>>));
  }
  const { line, what } = describeParseFault(text, error);
  throw new ImportError(
    'import.not_readable',
    `${environmentsFile} of that folder cannot be read as JSON (line ${line}: ${what}). Mend it, and import again; nothing was imported.`,
  );
}
