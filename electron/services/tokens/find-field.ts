import { parseRecord } from '@shared/json/parse-or-nothing';
import { isSecretName } from '@shared/secrets';

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

/** Reads a text or a number out of JSON, or out of a form, by its name in a service profile; null: it is not there. */
export function readNamed(text: string, name: string): string | null {
  const content = parseRecord(text);
  const isForm = content === null && text.length <= LONGEST_FORM;
  const found = isForm ? new URLSearchParams(text).get(name) : findField(content, name);
  if (typeof found === 'number') return String(found);
  return typeof found === 'string' ? found : null;
}

/**
 * Lists the secret that stands in a text under the name that an environment's service has for it.
 *
 * None where the name says that it is secret: then it is masked by that, wherever it stands.
 */
export function listNamedSecret(text: string, name: string): string[] {
  if (name === '' || isSecretName(name)) return [];
  const secret = readNamed(text, name) ?? '';
  return secret.length >= SHORTEST_SECRET ? [secret] : [];
}
