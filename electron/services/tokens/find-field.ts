import { isSecretName } from '@shared/secrets';

/** Gives the JSON object of a text; null: it is none. */
export function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : null;
  } catch {
    // The caller says what an unreadable text means.
    return null;
  }
}

/** Finds a field by its name, else by the path that the name is: `data.access_token`. */
export function findField(content: Record<string, unknown> | null, name: string): unknown {
  if (content === null || name === '') return undefined;
  if (Object.hasOwn(content, name)) return content[name];
  return name
    .split('.')
    .reduce<unknown>(
      (at, part) =>
        typeof at === 'object' && at !== null && Object.hasOwn(at, part)
          ? (at as Record<string, unknown>)[part]
          : undefined,
      content,
    );
}

/** Longer than any form of a token call. */
const LONGEST_FORM = 64 * 1024;
/** A shorter one stands in other words by chance. */
const SHORTEST_SECRET = 4;

/**
 * Lists the secret that stands in a text, JSON or a form, under the name that an environment's service has for it.
 *
 * None where the name says that it is secret: then it is masked by that, wherever it stands.
 */
export function listNamedSecret(text: string, name: string): string[] {
  if (name === '' || isSecretName(name)) return [];
  const content = parseObject(text);
  const isForm = content === null && text.length <= LONGEST_FORM;
  const found = isForm ? new URLSearchParams(text).get(name) : findField(content, name);
  const secret = typeof found === 'number' ? String(found) : found;
  return typeof secret === 'string' && secret.length >= SHORTEST_SECRET ? [secret] : [];
}
