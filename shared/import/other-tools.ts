import { memberOf, type JsonNode } from '../json/json-tree';
import { readText } from './nodes';

/** What a text is by its head, and how it comes in all the same. */
const texts: readonly (readonly [head: RegExp, said: string])[] = [
  [/^\s*(?:await\s+)?fetch\(/, 'a call of fetch: where it was copied, copy it as cURL'],
  [/^\s*(?:\$\s+)?wget\s/, 'a wget command: write it as curl'],
  [/^\s*(?:\$\s+)?(?:https?|xhs?)\s+(?:-\S+\s+)*(?:GET|POST|PUT|PATCH|DELETE)\s/, 'an HTTPie command: write it as curl'],
  [/^\s*(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\s+\S+/, 'a request as it stands in a request file: save it as NAME.http in a collection'],
  [/^\s*<(?:\?xml|[a-z][\w:.-]*[\s/>])/i, 'XML or HTML: export JSON, YAML or cURL instead'],
  [/^\s*syntax\s*=\s*["']proto/, 'a definition of gRPC, and no requests are made of that'],
]; // prettier-ignore

const documents: readonly (readonly [fits: (root: JsonNode) => boolean, said: string])[] = [
  [(root) => memberOf(root, 'v') !== null && memberOf(root, 'variables')?.kind === 'array', 'an environment of Hoppscotch: enter its values under Environments, or in http-client.env.json'],
  [(root) => (readText(root, 'client') ?? readText(root, 'clientName')) === 'Thunder Client', 'a collection of Thunder Client: export it as Postman or copy its requests as cURL'],
  [(root) => memberOf(root, 'v') !== null && memberOf(root, 'requests') !== null, 'a collection of Hoppscotch: copy its requests as cURL'],
  [(root) => memberOf(root, 'yaakVersion') !== null || memberOf(root, 'yaakSchema') !== null, 'an export of Yaak: copy its requests as cURL'],
  [(root) => memberOf(root, 'requests')?.kind === 'array' && memberOf(root, 'order') !== null, 'a collection of Postman 1.0: open it there, and export it as 2.1'],
  [(root) => memberOf(root, 'collections') !== null && memberOf(root, 'environments') !== null, "a dump of all of Postman's data: export each collection as 2.1"],
  [(root) => memberOf(root, 'asyncapi') !== null, 'an AsyncAPI document, and no requests are made of that'],
]; // prettier-ignore

/** A key of settings, which may stand far behind others, with comments between them. */
const restClient = /"rest-client\.environmentVariables"\s{0,9}:/;

/** Names settings of VS Code, which hold comments that no reader of JSON takes; null: they are none. */
export function nameSettings(text: string): string | null {
  return /^\s*(?:\{|\/\/)/.test(text) && restClient.test(text)
    ? 'a file of settings with environments of the REST Client: save what stands under "rest-client.environmentVariables" as http-client.env.json beside the requests ({{$shared name}} is {{name}} there)'
    : null;
}

/** Names a text that is known and not read, with what to do; null where it is not known. */
export function nameOtherText(text: string): string | null {
  return texts.find(([head]) => head.test(text.slice(0, 10_000)))?.[1] ?? null;
}

/** Names a document that is known and not read, with what to do; null where it is not known. */
export function nameOtherDocument(root: JsonNode): string | null {
  // All that a workspace has comes as a list.
  const one = root.kind === 'array' ? root.items[0] : root;
  if (one?.kind !== 'object') return null;
  return documents.find(([fits]) => fits(one))?.[1] ?? null;
}
