import type { Environment } from '@shared/contract/environments';
import { describeForeignName } from '@shared/http-file/foreign-variables';
import type { HttpRequestBlock } from '@shared/http-file/http-file';
import {
  findOrigin,
  type ScopedValue,
  type ValueOwners,
  type ValueScope,
} from '@shared/http-file/value-scopes';
import { encodeForUrl } from '@shared/encode-for-url';
import { isSecretName } from '@shared/secrets';
import { adviseOnValue } from './describe-missing';
import type { Expression } from '@shared/http-file/find-expression';

/** All that values of a request come from. */
export interface ValueSources extends ValueOwners {
  readonly environment: Environment | null;
  readonly fileVariables: HttpRequestBlock['fileVariables'];
}

const expression = /\{\{([^{}\r\n]{1,300})\}\}/g;
const mostChars = 200;

export function listExpressions(text: string): Expression[] {
  return [...text.matchAll(expression)].map(({ 0: whole, 1: name = '', index }) => ({
    start: index,
    end: index + whole.length,
    name: name.trim(),
  }));
}

/**
 * Says where the value of the `{{…}}` at an offset comes from, looking at its line and no more.
 *
 * @returns null: there is none, or nobody gives it a value, which is marked and said there
 */
export function describeValueAt(
  text: string,
  offset: number,
  sources: ValueSources,
): { start: number; end: number; lines: string[] } | null {
  const from = Math.max(text.lastIndexOf('\n', offset - 1) + 1, offset - 400);
  const end = text.indexOf('\n', offset);
  const line = text.slice(from, Math.min(end === -1 ? text.length : end, offset + 400));
  const found = listExpressions(line).find((one) => from + one.start <= offset && offset <= from + one.end);
  if (found === undefined || isUnresolved(found.name, sources)) return null;
  return { start: from + found.start, end: from + found.end, lines: describeValue(found.name, sources) };
}

/** Says of each expression of a text where its value comes from, a paragraph each; undefined: there is none. */
export function describeExpressions(text: string, sources: ValueSources): string | undefined {
  const told = new Set(listExpressions(text).map(({ name }) => describeValue(name, sources).join('\n')));
  return told.size === 0 ? undefined : [...told].join('\n\n');
}

/** Tells whether nobody gives an expression of a request's text. */
export function isUnresolved(name: string, sources: ValueSources): boolean {
  return findOrigin(name, sources.fileVariables, sources).kind === 'none';
}

/** Says in lines what an expression stands for, and whose value it is. A secret is told by its name alone. */
export function describeValue(name: string, sources: ValueSources): string[] {
  const { environment, fileVariables } = sources;
  const origin = findOrigin(name, fileVariables, sources);
  const nameScope = (scope: ValueScope): string => scopeNames[scope](environment);
  switch (origin.kind) {
    case 'none':
      return [
        `${name}: nobody gives it a value. ${describeForeignName(name) ?? adviseOnValue('it one', name)}`,
      ];
    case 'drawn':
      return [`${name}: drawn for each send.`];
    case 'back_end':
      return [`${name}: put in where the request leaves, and never shown here.`];
    case 'vault': {
      // Whether the vault has it is known where the request leaves.
      const place =
        origin.found?.scope === 'session'
          ? 'set for this run, and kept in the back end'
          : 'looked up in the vault';
      return [
        `${origin.name}: ${place}. Its value is put in where the request leaves, and never shown here.`,
      ];
    }
    case 'value': {
      const { found, hidden } = origin;
      const others = hidden.map(({ scope }) => nameScope(scope)).join(', ');
      return [
        `${name} = ${showValue(name, found, environment)}`,
        `From ${nameScope(found.scope)}.${others === '' ? '' : ` It goes before the value of ${others}.`}`,
      ];
    }
  }
}

const scopeNames: Readonly<Record<ValueScope, (environment: Environment | null) => string>> = {
  session: () => 'the values for this run',
  file: () => 'this file',
  environment: (environment) => `the environment “${environment?.label ?? ''}”`,
  collection: () => 'the collection ($shared)',
};

const hidden = '••••••••';

const isHidden = (name: string, environment: Environment | null): boolean =>
  isSecretName(name) || environment?.privateNames?.includes(name) === true;

/** Gives an address as it is sent, for the eye: values of secret names and of the private file are not in it. */
export function hideValues(
  url: string,
  variablesUsed: Readonly<Record<string, string>>,
  environment: Environment | null,
): string {
  return Object.entries(variablesUsed)
    .filter(([name, value]) => value !== '' && isHidden(name, environment))
    .flatMap(([, value]) => [value, encodeForUrl(value)])
    .sort((a, b) => b.length - a.length)
    .reduce((shown, value) => shown.replaceAll(value, hidden), url);
}

function showValue(name: string, { value }: ScopedValue, environment: Environment | null): string {
  if (isHidden(name, environment) && value !== '') return hidden;
  if (value === '') return '(empty)';
  return value.length > mostChars ? `${value.slice(0, mostChars)}…` : value;
}
