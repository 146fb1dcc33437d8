import type { HttpRequestBlock } from '../http-file/http-file';
import type { RunDirectives, RunFault } from './read-directives';

/** One request of the files that are run, in the order of the tree. */
export interface RunRequest {
  readonly name: string;
  readonly folder: string;
  /** As reports show it. */
  readonly file: string;
  readonly block: HttpRequestBlock;
  /** The block as written: names of variables are looked for in it. */
  readonly text: string;
  /** Folder that its body files and examples are read in. */
  readonly directory: string;
  /** What history knows it by; null: it stands in no open collection. */
  readonly identity: { readonly collectionId: string; readonly path: string; readonly block: string } | null;
  readonly directives: RunDirectives;
}

/** Which requests of the files are run; those that they depend on are, too. */
export interface RunSelection {
  /** Any of these; empty: all. */
  readonly tags: readonly string[];
  /** Part of a name or path, in any case; null: all. */
  readonly grep: string | null;
}

/** A request with the places, in the plan, of those that have to pass before it. */
export interface PlannedRequest {
  readonly request: RunRequest;
  readonly dependsOn: readonly number[];
  /** Places of those whose webhook gives it a value: they have to be over, whatever their outcome. */
  readonly waitsFor: readonly number[];
}

export interface RunPlan {
  readonly requests: readonly PlannedRequest[];
  readonly faults: readonly RunFault[];
}

const fold = (text: string): string => text.toLowerCase();

function isSelected({ directives, name, file }: RunRequest, { tags, grep }: RunSelection): boolean {
  const hasTag = tags.length === 0 || tags.some((tag) => directives.tags.includes(tag));
  const isNamed = grep === null || fold(`${file} ${name}`).includes(fold(grep));
  return hasTag && isNamed;
}

/** Of several with that name: one of the same file, else of the same folder, else the only one. */
function findNamed(
  requests: readonly RunRequest[],
  from: RunRequest,
  name: string,
): RunRequest | 'none' | 'several' {
  const named = requests.filter((one) => one.name === name && one !== from);
  const scopes: ((one: RunRequest) => boolean)[] = [
    ({ file }) => file === from.file,
    ({ folder }) => folder === from.folder,
    () => true,
  ];
  for (const isNear of scopes) {
    const near = named.filter(isNear);
    if (near.length === 1) return near[0]!;
    if (near.length > 1) return 'several';
  }
  return 'none';
}

/** What was found of the dependencies of all requests. */
interface Links {
  readonly dependencies: Map<RunRequest, RunRequest[]>;
  readonly faults: RunFault[];
}

function link(requests: readonly RunRequest[]): Links {
  const links: Links = { dependencies: new Map(), faults: [] };
  for (const request of requests) {
    const found: RunRequest[] = [];
    for (const { name, line } of request.directives.dependsOn) {
      const other = findNamed(requests, request, name);
      if (typeof other === 'object') found.push(other);
      else {
        const why =
          other === 'none' ? 'No request of this run has that name' : 'Several requests have that name';
        links.faults.push({ file: request.file, line, message: `# @depends-on ${name}: ${why}.` });
      }
    }
    links.dependencies.set(request, found);
  }
  return links;
}

/** Puts each request behind those that it depends on; the order of the tree holds otherwise. */
function order(chosen: readonly RunRequest[], { dependencies, faults }: Links): RunRequest[] {
  const ordered: RunRequest[] = [];
  const state = new Map<RunRequest, 'open' | 'done'>();
  const visit = (request: RunRequest): void => {
    if (state.get(request) === 'done') return;
    if (state.get(request) === 'open') {
      const [first] = request.directives.dependsOn;
      const message = `'${request.name}' depends on itself, by way of '${first?.name ?? ''}': take one # @depends-on out.`;
      faults.push({ file: request.file, line: first?.line ?? request.block.line, message });
      return;
    }
    state.set(request, 'open');
    for (const other of dependencies.get(request) ?? []) visit(other);
    state.set(request, 'done');
    ordered.push(request);
  };
  for (const request of chosen) visit(request);
  return ordered;
}

const uses = (text: string, variable: string): boolean =>
  new RegExp(`\\{\\{\\s*%?\\s*${variable.replace(/[.$]/g, '\\$&')}\\s*\\}\\}`).test(text);

/** Finds those before it whose webhook gives a value that it uses. */
function findProviders(requests: readonly RunRequest[], index: number): number[] {
  const { text } = requests[index]!;
  return requests.slice(0, index).flatMap(({ directives }, at) => {
    const gives = directives.captures.some(
      ({ name, source }) => source.kind === 'webhook' && uses(text, name),
    );
    return gives ? [at] : [];
  });
}

/**
 * Chooses and orders what is run.
 *
 * Where a request has `# @only`, only those that have it are run; with what they depend on, as with tags.
 * @returns `faults`: what is wrong in the files; nothing is sent where there is one
 */
export function planRun(all: readonly RunRequest[], selection: RunSelection): RunPlan {
  const selected = all.filter((request) => isSelected(request, selection));
  const only = selected.filter(({ directives }) => directives.isOnly);
  const links = link(all);
  const ordered = order(only.length > 0 ? only : selected, links);
  const places = new Map(ordered.map((request, index) => [request, index]));
  const own = ordered.flatMap(({ directives, block, file }) => [
    ...directives.faults.map((fault) => ({ file, ...fault })),
    ...(directives.skip === null ? block.faults.map((fault) => ({ file, ...fault })) : []),
  ]);
  return {
    requests: ordered.map((request, index) => ({
      request,
      dependsOn: (links.dependencies.get(request) ?? []).map((other) => places.get(other) ?? 0),
      waitsFor: findProviders(ordered, index),
    })),
    faults: [...own, ...links.faults.filter(({ file }) => ordered.some((one) => one.file === file))],
  };
}
