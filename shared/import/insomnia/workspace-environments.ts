import { type JsonNode } from '../../json/json-tree';
import type { Imported, ImportedEnvironment, ImportedVariable } from '../imported';
import { readText } from '../nodes';
import { readInsomniaVariables } from './insomnia-environments';
import { listSome } from '../../list-some';

interface Base {
  readonly workspace: string;
  readonly variables: readonly ImportedVariable[];
  readonly inner: ImportedEnvironment[];
}

/**
 * Reads the environments of an export of version 4: a base environment belongs to a workspace, the others name it as their parent.
 *
 * Where workspaces give one variable several values, none of them holds for all: each workspace has an environment of its own then.
 */
export function readWorkspaceEnvironments(
  imported: Imported,
  environments: readonly JsonNode[],
  workspaces: readonly JsonNode[],
): void {
  const bases = listBases(imported, environments, workspaces);
  const differing = findDiffering(bases);
  const counts = new Map<string, number>();
  for (const { name } of bases.flatMap(({ inner }) => inner)) counts.set(name, (counts.get(name) ?? 0) + 1);
  const common = new Map<string, ImportedVariable>();
  for (const { workspace, variables, inner } of bases) {
    const own = variables.filter(({ name }) => differing.has(name));
    for (const one of variables) if (!differing.has(one.name)) common.set(one.name, one);
    if (own.length > 0) imported.environments.push({ name: workspace, variables: own });
    for (const { name, variables: above } of inner) {
      const names = new Set(above.map((one) => one.name));
      const below = own.filter((one) => !names.has(one.name));
      const isAlone = counts.get(name) === 1 && own.length === 0;
      imported.environments.push({
        name: isAlone ? name : `${workspace}, ${name}`,
        variables: [...below, ...above],
      });
    }
    if (own.length > 0) imported.notes.push({ where: workspace, what: describeDiffering(own, workspace) });
  }
  imported.shared.push(...common.values());
}

function listBases(
  imported: Imported,
  environments: readonly JsonNode[],
  workspaces: readonly JsonNode[],
): Base[] {
  const read = (node: JsonNode): ImportedEnvironment => {
    const name = readText(node, 'name') ?? 'environment';
    return { name, variables: readInsomniaVariables(node, 'data', name, imported) };
  };
  const names = new Map(workspaces.map((one) => [readText(one, '_id'), readText(one, 'name')]));
  const bases = new Map<string | null, Base>();
  const ids = new Set(environments.map((one) => readText(one, '_id')));
  const isBase = (node: JsonNode): boolean => !ids.has(readText(node, 'parentId'));
  for (const node of environments.filter(isBase)) {
    const { name, variables } = read(node);
    const workspace = names.get(readText(node, 'parentId')) ?? name;
    bases.set(readText(node, '_id'), { workspace, variables, inner: [] });
  }
  for (const node of environments.filter((one) => !isBase(one))) {
    const base = bases.get(readText(node, 'parentId'));
    if (base === undefined) imported.environments.push(read(node));
    else base.inner.push(read(node));
  }
  return [...bases.values()];
}

/** Names of variables that have another value in one base environment than in another. */
function findDiffering(bases: readonly Base[]): ReadonlySet<string> {
  const values = new Map<string, string>();
  const differing = new Set<string>();
  for (const { name, value } of bases.flatMap(({ variables }) => variables)) {
    if (values.has(name) && values.get(name) !== value) differing.add(name);
    values.set(name, value);
  }
  return differing;
}

function describeDiffering(own: readonly ImportedVariable[], workspace: string): string {
  const names = listSome(own.map(({ name }) => name));
  return `Another workspace gives ${names} another value: choose the environment ${workspace}, or one below it, for the requests of this folder.`;
}
