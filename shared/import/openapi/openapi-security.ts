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

/** No request proves in more ways at once who asks, and those of the document stand in each of its requests. */
const MOST_SCHEMES = 50;

interface Asked {
  names: readonly string[];
  /** What is left out. */
  notes: readonly string[];
}

const askedBy = new WeakMap<readonly JsonNode[], Asked>();

/** Reads what the first of some choices asks for; those of the document are read once for all its operations. */
function readChoices(choices: readonly JsonNode[]): Asked {
  const known = askedBy.get(choices);
  if (known !== undefined) return known;
  const [first = [], ...others] = choices.map((one) => listMembers(one).map(([name]) => name));
  const left = first.slice(MOST_SCHEMES);
  const names = others.map((one) => one.join(' with ') || 'none');
  const asked = {
    names: first.slice(0, MOST_SCHEMES),
    notes: [
      ...(left.length > 0
        ? [`It asks for too many authentications at once; left out: ${listSome(left)}.`]
        : []),
      ...(names.length > 0 ? [`Other ways to authenticate are left out: ${listSome(names)}.`] : []),
    ],
  };
  askedBy.set(choices, asked);
  return asked;
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
  const { names, notes } = readChoices(listItems(own === null ? root : operation, 'security'));
  for (const name of names) {
    const scheme = references.follow(memberOf(root, 'components', 'securitySchemes', name));
    if (scheme === null)
      request.notes.push(`Its authentication ${name.slice(0, 100)} is not in the document, and left out.`);
    else applyAuth(request, readScheme(name, scheme), book);
  }
  request.notes.push(...notes);
}
