import { applyEdits, modify, parse, printParseErrorCode, type ParseError } from 'jsonc-parser';
import type { ImportNote } from '@shared/import/imported';
import type { PlannedEnvironment } from '@shared/import/layout/plan-environments';
import { isTooDeep } from '../../platform/files/json-depth';
import { errorsOf } from '../errors-of';

const ImportError = errorsOf<'imports'>();

export const environmentsFile = 'http-client.env.json';

const format = { formattingOptions: { insertSpaces: true, tabSize: 2, eol: '\n' } };

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
      merged = applyEdits(merged, modify(merged, [name], variables, format));
      continue;
    }
    for (const [variable, value] of Object.entries(variables)) {
      if (!Object.hasOwn(own, variable))
        merged = applyEdits(merged, modify(merged, [name, variable], value, format));
      else if (String(own[variable]) !== value) {
        notes.push({ where: name, what: `${variable} is there already, and keeps its value.` });
      }
    }
  }
  return { text: merged.endsWith('\n') ? merged : `${merged}\n`, notes };
}

function readKnown(text: string): Map<string, Record<string, unknown>> {
  const errors: ParseError[] = [];
  const value: unknown = isTooDeep(text) ? null : parse(text, errors, { allowTrailingComma: true });
  const [error] = errors;
  if (error === undefined && typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return new Map(Object.entries(value as Record<string, Record<string, unknown>>));
  }
  const line = text.slice(0, error?.offset ?? 0).split('\n').length;
  const what = error === undefined ? 'no object' : printParseErrorCode(error.error);
  throw new ImportError(
    'import.not_readable',
    `${environmentsFile} of that folder cannot be read as JSON (${what}, line ${line}). Mend it, and import again; nothing was imported.`,
  );
}
