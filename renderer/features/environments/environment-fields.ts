import type { MethodInput } from '@shared/contract/contract';
import { longestEnvironmentName, nameTooLong } from '@shared/contract/environment-id';
import { isSecretName } from '@shared/secrets';
import { createRecord } from '@shared/own-value';

/** `name = value`, a line each, as the form shows them. */
export function writeVariables(variables: Record<string, string>): string {
  return Object.entries(variables)
    .filter(([name]) => name !== 'base_url')
    .map(([name, value]) => `${name} = ${value}`)
    .join('\n');
}

/** Reads what {@link writeVariables} wrote; `fault` names the first line that is not `name = value`. */
export function readVariables(text: string): { variables: Record<string, string>; fault: string | null } {
  const variables = createRecord<string>();
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const match = /^([A-Za-z_][\w.-]*)\s*=\s?(.*)/s.exec(line.trim());
    if (!match) return { variables, fault: `Line ${index + 1} is not “name = value”.` };
    variables[match[1]!] = match[2]!;
  }
  return { variables, fault: null };
}

/** Names of the variables that are secret by their name and have a value. */
export function listSecretNames(variables: Readonly<Record<string, string>>): string[] {
  return Object.keys(variables).filter((name) => isSecretName(name) && variables[name] !== '');
}

/** What is wrong with an environment before it is saved; null: nothing. */
export function checkEnvironment(
  input: Pick<MethodInput<'environments.save'>, 'name' | 'baseUrl'>,
  taken: readonly string[],
): { name: string | null; baseUrl: string | null } {
  return { name: checkName(input.name.trim(), taken), baseUrl: checkBaseUrl(input.baseUrl.trim()) };
}

function checkName(name: string, taken: readonly string[]): string | null {
  if (name === '') return 'Give it a name; files and the command line use it.';
  if (name === 'local') return '“local” is the embedded sandbox. Choose another name.';
  if (name.length > longestEnvironmentName) return nameTooLong;
  return taken.includes(name) ? 'There is an environment of this name already.' : null;
}

function checkBaseUrl(baseUrl: string): string | null {
  if (baseUrl === '') return 'Where requests go, for example https://sandbox.example.com';
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    return 'Write the whole address, with https:// in front.';
  }
  return url.search || url.hash ? 'Leave out everything from “?” or “#” on.' : null;
}

/** True where requests would travel unprotected to another machine. */
export function isUnprotected(baseUrl: string): boolean {
  if (!URL.canParse(baseUrl)) return false;
  const { protocol, hostname } = new URL(baseUrl);
  return protocol === 'http:' && !/^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}
