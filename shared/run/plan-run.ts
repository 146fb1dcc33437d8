import { plainName } from '../http-file/find-expression';
import type { HttpRequestBlock } from '../http-file/http-file';
import { listSome } from '../list-some';
import { findCopied } from './conflict-copies';
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
  /** Left out: any. */
  isChosen?(request: RunRequest): boolean;
}

/** A request with the places, in the plan, of those that have to pass before it. */
export interface PlannedRequest {
  readonly request: RunRequest;
  readonly dependsOn: readonly number[];
  /**
   * Places of those whose webhook gives it a value: they have to be over, whatever their outcome. One that an earlier
   * request waits for already is not named again.
   */
  readonly waitsFor: readonly number[];
}

export interface RunPlan {
  readonly requests: readonly PlannedRequest[];
  readonly faults: readonly RunFault[];
}

const fold = (text: string): string => text.toLowerCase();

function isSelected(request: RunRequest, { tags, grep, isChosen }: RunSelection): boolean {
  const { directives, name, file } = request;
  const hasTag = tags.length === 0 || tags.some((tag) => directives.tags.includes(tag));
  const isNamed = grep === null || fold(`${file} ${name}`).includes(fold(grep));
  return hasTag && isNamed && (isChosen?.(request) ?? true);
}

/** Of several with that name: one of the same file, else of the same folder, else the only one. */
function findNamed(namesakes: readonly RunRequest[], from: RunRequest): RunRequest | readonly RunRequest[] {
  const named = namesakes.filter((one) => one !== from);
  const scopes: ((one: RunRequest) => boolean)[] = [
    ({ file }) => file === from.file,
    ({ folder }) => folder === from.folder,
    () => true,
  ];
  for (const isNear of scopes) {
    const near = named.filter(isNear);
    if (near.length === 1) return near[0]!;
    if (near.length > 1) return near;
  }
  return [];
}

/** What was found of the dependencies of all requests. */
interface Links {
  readonly dependencies: Map<RunRequest, RunRequest[]>;
  /** Of those whose dependency is none. */
  readonly faults: Map<RunRequest, RunFault[]>;
}

const describeNamesakes = (several: readonly RunRequest[]): string =>
  several.length === 0
    ? 'No other request of this run has that name'
    : `Several requests have that name: ${listSome(several.map(({ file, block }) => `${file}:${block.line}`))}`;

/** A payment would leave twice: once as it is, and once as somebody else had it. */
function findCopies(requests: readonly RunRequest[], all: readonly RunRequest[]): RunFault[] {
  const files = new Set(all.map(({ file }) => file));
  return [...new Set(requests.map(({ file }) => file))].flatMap((file) => {
    const original = findCopied(file);
    if (original === null || !files.has(original)) return [];
    const message = `It is the copy of ${original} that a program for synchronising, or git mergetool, made where two had changed that: keep one of them, or give it another name.`;
    return [{ file, line: 1, message }];
  });
}

function link(requests: readonly RunRequest[]): Links {
  const links: Links = { dependencies: new Map(), faults: new Map() };
  const byName = new Map<string, RunRequest[]>();
  for (const request of requests) {
    const namesakes = byName.get(request.name);
    if (namesakes === undefined) byName.set(request.name, [request]);
    else namesakes.push(request);
  }
  for (const request of requests) {
    const found: RunRequest[] = [];
    const faults: RunFault[] = [];
    for (const { name, line } of request.directives.dependsOn) {
      const other = findNamed(byName.get(name) ?? [], request);
      if ('block' in other) found.push(other);
      else {
        const message = `# @depends-on ${name}: ${describeNamesakes(other)}.`;
        faults.push({ file: request.file, line, message });
      }
    }
    links.faults.set(request, faults);
    links.dependencies.set(request, found);
  }
  return links;
}

/** Puts each request behind those that it depends on, however long the chain; the order of the tree holds otherwise. */
function order(
  chosen: readonly RunRequest[],
  { dependencies }: Links,
): { ordered: RunRequest[]; circles: RunFault[] } {
  const circles: RunFault[] = [];
  const ordered: RunRequest[] = [];
  const state = new Map<RunRequest, 'open' | 'done'>();
  const open: { request: RunRequest; left: RunRequest[] }[] = [];
  const visit = (request: RunRequest): void => {
    const known = state.get(request);
    if (known === 'open') circles.push(describeCircle(request, open));
    if (known !== undefined) return;
    state.set(request, 'open');
    open.push({ request, left: [...(dependencies.get(request) ?? [])].reverse() });
  };
  for (const one of chosen) {
    visit(one);
    for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
      const next = top.left.pop();
      if (next !== undefined) visit(next);
      else {
        open.pop();
        state.set(top.request, 'done');
        ordered.push(top.request);
      }
    }
  }
  return { ordered, circles };
}

/** @param open - those on the way back to it, each behind the one that depends on it */
function describeCircle(request: RunRequest, open: readonly { request: RunRequest }[]): RunFault {
  const { name, file, block, directives } = request;
  const next = open[open.findIndex((one) => one.request === request) + 1]?.request.name ?? '';
  const by = directives.dependsOn.find((one) => one.name === next);
  const message = `'${name}' depends on itself, by way of '${next}': take one # @depends-on out.`;
  return { file, line: by?.line ?? block.line, message };
}

function listVariables(text: string): Set<string> {
  const written = [...text.matchAll(/\{\{([^{}]{1,200})\}\}/g)].map(([, name = '']) => name);
  return new Set(written.map((name) => plainName(name.trim())));
}

/** Finds, for each, those before it whose webhook gives a value that it uses, in time proportional to the files. */
function findProviders(requests: readonly RunRequest[]): number[][] {
  const givers = new Map<string, number[]>();
  return requests.map(({ text, directives }, index) => {
    const used = givers.size === 0 ? [] : [...listVariables(text)];
    const found = used.flatMap((name) => givers.get(name) ?? []);
    // This one does not leave before they are over, and so none after it does.
    for (const name of used) givers.delete(name);
    for (const { name, source } of directives.captures) {
      if (source.kind !== 'webhook') continue;
      const own = givers.get(name);
      if (own === undefined) givers.set(name, [index]);
      else own.push(index);
    }
    return [...new Set(found)].sort((left, right) => left - right);
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
  const { ordered, circles } = order(only.length > 0 ? only : selected, links);
  const places = new Map(ordered.map((request, index) => [request, index]));
  const providers = findProviders(ordered);
  const own = ordered.flatMap(({ directives, block, file }) => [
    ...directives.faults.map((fault) => ({ file, ...fault })),
    ...(directives.skip === null ? block.faults.map((fault) => ({ file, ...fault })) : []),
  ]);
  return {
    requests: ordered.map((request, index) => ({
      request,
      dependsOn: (links.dependencies.get(request) ?? []).map((other) => places.get(other) ?? 0),
      waitsFor: providers[index]!,
    })),
    // Those of requests that are not run hinder nobody.
    faults: [
      ...own,
      ...findCopies(ordered, all),
      ...ordered.flatMap((request) => links.faults.get(request) ?? []),
      ...circles,
    ],
  };
}
