import { memberOf, type JsonNode } from '../../json/json-tree';
import { applyAuth, type ImportedAuth } from '../auth';
import { nameSecret, type CredentialBook } from '../credentials';
import type { ImportedRequest } from '../imported';
import { listItems, listMembers, readText } from '../nodes';
import type { References } from './references';
import { listSome } from '../../list-some';

/** A document names no secret: each scheme has a variable that the user fills in. */
function readScheme(name: string, scheme: JsonNode): ImportedAuth {
  const type = readText(scheme, 'type');
  const kind = (readText(scheme, 'scheme') ?? '').toLowerCase();
  if (type === 'http' && kind === 'basic')
    return { kind: 'basic', user: '{{username}}', password: '{{password}}' };
  if (type === 'http' && kind === 'bearer') return { kind: 'bearer', token: '{{bearer_token}}' };
  if (type === 'oauth2' || type === 'openIdConnect')
    return { kind: 'bearer', token: '{{access_token}}', isFetched: true };
  if (type === 'apiKey') {
    const place = readText(scheme, 'in');
    return {
      kind: 'key',
      name: readText(scheme, 'name') ?? name,
      value: `{{${nameSecret(name)}}}`,
      place: place === 'query' || place === 'cookie' ? place : 'header',
    };
  }
  return { kind: 'other', title: type === 'http' ? kind : (type ?? name) };
}

/** Adds what the first of the operation's choices of security asks for. */
export function addOpenapiSecurity(
  request: ImportedRequest,
  root: JsonNode,
  operation: JsonNode,
  references: References,
  book: CredentialBook,
): void {
  const own = memberOf(operation, 'security');
  const choices = own === null ? listItems(root, 'security') : listItems(operation, 'security');
  const [first] = choices;
  if (first === undefined) return;
  for (const [name] of listMembers(first)) {
    const scheme = references.follow(memberOf(root, 'components', 'securitySchemes', name));
    if (scheme === null)
      request.notes.push(`Its authentication ${name.slice(0, 100)} is not in the document, and left out.`);
    else applyAuth(request, readScheme(name, scheme), book);
  }
  const names = choices.slice(1).map(
    (one) =>
      listMembers(one)
        .map(([name]) => name)
        .join(' with ') || 'none',
  );
  if (names.length > 0) request.notes.push(`Other ways to authenticate are left out: ${listSome(names)}.`);
}
