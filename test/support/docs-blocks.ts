import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './run-cli';

/**
 * How a command of the docs is meant, said after `sh` where its block begins.
 *
 * Nothing: it ends, with exit code 0. `exits 1`: with that one. `stays`: it runs until Ctrl+C (several in one block: each
 * until the next). `not run: …`: a test machine lacks what it needs, and the words say what.
 */
export type CommandMeaning =
  | { readonly kind: 'ends'; readonly exitCode: number }
  | { readonly kind: 'stays' }
  | { readonly kind: 'not run'; readonly reason: string };

/** A fenced block, a code block by indentation included (`language` and `info` are empty there). */
export interface DocsBlock {
  /** `README.md:12` */
  readonly place: string;
  readonly language: string;
  readonly info: string;
  readonly code: string;
}

/** Every page of the docs, by its path from the root of the repository. */
export function listPages(): string[] {
  const inDocs = readdirSync(join(projectRoot, 'docs'), { recursive: true, encoding: 'utf8' })
    .map((path) => `docs/${path.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('.md') && !path.includes('/.vitepress/'));
  return ['README.md', ...inDocs.sort()];
}

export function readPage(page: string): string {
  return readFileSync(join(projectRoot, page), 'utf8');
}

/** Finds the blocks of code of a page, those in comments included. */
export function listBlocks(page: string, text = readPage(page)): DocsBlock[] {
  const fences = /^(```+)(\w*) ?(.*)\n([\s\S]*?)^\1$/gm;
  const fenced = [...text.matchAll(fences)].map(({ index, 2: language, 3: info, 4: code }) => ({
    place: `${page}:${text.slice(0, index).split('\n').length}`,
    language: language!,
    info: info!.trim(),
    code: code!,
  }));
  // Line for line the same text, so that the places stay right.
  const rest = text.replace(fences, (block) => block.replace(/[^\n]/g, ''));
  const indented = [...rest.matchAll(/(?<=\n\n)(?: {4}.*\n)+/g)].map(({ index, 0: code }) => ({
    place: `${page}:${rest.slice(0, index).split('\n').length}`,
    language: '',
    info: '',
    code,
  }));
  return [...fenced, ...indented];
}

/**
 * Reads what stands after `sh`.
 * @returns undefined where it cannot be read
 */
export function readMeaning(info: string): CommandMeaning | undefined {
  if (info === '') return { kind: 'ends', exitCode: 0 };
  if (info === 'stays') return { kind: 'stays' };
  const [, exitCode, reason] = /^(?:exits (\d+)|not run: (\S.*))$/.exec(info) ?? [];
  if (exitCode !== undefined) return { kind: 'ends', exitCode: Number(exitCode) };
  return reason === undefined ? undefined : { kind: 'not run', reason };
}

/** Joins the lines of one command and leaves blank ones out. */
export function listCommands(code: string): string[] {
  return code
    .replaceAll('\\\n', ' ')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
}
