import { isBackEndValue } from '../http-file/back-end-value';
import { createCredentialBook, hideInHeader, holdsCredential } from '../import/credentials';
import { isSecretName } from '../secrets';
import { listSome } from '../list-some';
import type { ExportEnvironment, ExportNote, ExportSource } from './export-source';
import { listExpressions } from './map-expressions';
import { ownValue } from '../own-value';
import { usualValues } from './usual-values';
import { basicUser, listTexts, type PortableCollection } from './portable-requests';

/** A variable of an export. A secret one has no value. */
export interface ExportVariable {
  name: string;
  value: string;
  isSecret: boolean;
}

const secretNames = new Set(['consumer_secret', 'private_key']);

/** Gives the variable that an expression asks for; null: it is drawn, or the back end's. */
export function findVariableName(expression: string): string | null {
  const name = expression.replace(/^%\s*/, '');
  return name.startsWith('$') || isBackEndValue(name) ? null : name;
}

/**
 * Lists the variables that an export has: the service's own, what the requests ask for, and what the values of those ask for.
 *
 * Secrets stand by name alone.
 */
export function listExportVariables(source: ExportSource, collection: PortableCollection): ExportVariable[] {
  const { environment } = source;
  const isSecret = (name: string): boolean =>
    secretNames.has(name) ||
    isSecretName(name) ||
    name.startsWith('vault.') ||
    collection.secretNames.includes(name) ||
    environment?.privateNames.includes(name) === true;
  const proofs = findProofs(collection.provingNames, environment);
  const used = collection.requests.flatMap(listTexts).flatMap(listExpressions);
  const names = new Set(Object.keys(usualValues));
  const variables: ExportVariable[] = [];
  const add = (name: string): void => {
    const known = readValue(environment, name);
    const secret = isSecret(name) || holdsCredential(known) || proofs.has(name);
    const value = secret ? '' : known;
    variables.push({ name, value, isSecret: secret });
    for (const one of listExpressions(value)) remember(one);
  };
  const remember = (expression: string): void => {
    const name = findVariableName(expression);
    if (name !== null) names.add(name);
  };
  used.forEach(remember);
  // A set that grows while it is walked is walked to its end.
  for (const name of names) add(name);
  return variables;
}

/** Says of variables without a value that they are empty there, and sent so; here such a request is not sent. */
export function noteEmpty(
  { environment, name: where }: ExportSource,
  variables: readonly ExportVariable[],
  notes: ExportNote[],
): void {
  const empty = variables.filter(
    ({ name, value, isSecret }) =>
      value === '' &&
      !isSecret &&
      name !== 'last_reference' &&
      ownValue(usualValues, name) === undefined &&
      ownValue(environment?.variables, name) === undefined,
  );
  if (empty.length === 0) return;
  const named = listSome(empty.map(({ name }) => `{{${name}}}`));
  const [has, is, it] = empty.length === 1 ? ['has', 'is', 'it'] : ['have', 'are', 'them'];
  notes.push({
    where,
    what: `${named} ${has} no value in this export, and ${is} empty there: give ${it} one before you send.`,
  });
}

/** Finds those that hold what requests prove themselves with. Of a template that is what it is made of: `Bearer {{mine}}`. */
function findProofs(provingNames: readonly string[], environment: ExportEnvironment | null): Set<string> {
  const proofs = new Set<string>();
  const proving = new Set(provingNames);
  // A set that grows while it is walked is walked to its end.
  for (const name of proving) {
    const value = readValue(environment, name);
    const book = createCredentialBook();
    hideInHeader('authorization', value, book);
    if (!value.includes('{{') || book.list().length > 0) proofs.add(name);
    const user = basicUser.exec(value)?.[1]?.trim();
    for (const expression of book.listVariables()) {
      const inner = findVariableName(expression);
      if (inner !== null && inner !== user) proving.add(inner);
    }
  }
  return proofs;
}

function readValue(environment: ExportEnvironment | null, name: string): string {
  // Which payment was the last is of this machine; another begins with none.
  if (name === 'last_reference') return '';
  const known = name === 'base_url' ? environment?.baseUrl : ownValue(environment?.variables, name);
  return known || ownValue(usualValues, name) || '';
}
