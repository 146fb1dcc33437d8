import type { MethodInput } from '@shared/contract/contract';
import { AppError } from '@shared/errors';
import { maxImportBytes } from '@shared/import/max-import-bytes';
import { create } from 'zustand';
import type { ClientError } from '../transport/client-error';

/** What is to be imported, and where to, as far as that is known. */
export interface AskedImport {
  /** Left out: the dialog asks for it. */
  source?: MethodInput<'imports.run'>['source'];
  collectionId?: string | undefined;
  /** What was given and cannot be read. */
  refused?: RefusedImport;
  /** Given together: asked about at once. */
  together?: readonly GivenTogether[];
}

interface RefusedImport {
  name: string;
  error: ClientError;
}

export type GivenTogether =
  | { source: NonNullable<AskedImport['source']>; refused?: never }
  | { refused: RefusedImport; source?: never };

interface AskedImports {
  asked: AskedImport | null;
  /** What came with it or after it, and is asked about in turn. */
  waiting: readonly AskedImport[];
  /** Counts questions: each begins anew. */
  round: number;
}

/** The import that is asked about now; whoever has something to import asks here. */
export const useAskedImport = create<AskedImports>(() => ({ asked: null, waiting: [], round: 0 }));

export function askToImport(asked: AskedImport): void {
  askToImportEach([asked]);
}

/** Asks about several, one after the other; what is being asked about, and what was done, stays on show until it is answered. */
export function askToImportEach(given: readonly AskedImport[]): void {
  if (given.length === 0) return;
  useAskedImport.setState(({ asked, waiting, round }) => {
    const isStanding = asked !== null && (asked.source ?? asked.refused ?? asked.together) !== undefined;
    if (isStanding) return { waiting: [...waiting, ...given] };
    const [next, ...others] = given;
    return { asked: { ...asked, ...next }, waiting: [...others, ...waiting], round: round + 1 };
  });
}

/** Ends the question that stands; the next one takes its place. */
export function endAskedImport(): void {
  useAskedImport.setState(({ waiting: [next, ...waiting], round }) => ({
    asked: next ?? null,
    waiting,
    round: round + 1,
  }));
}

/** Reads a file that was chosen or dropped, in the charset that it has. @throws {AppError} `import.*` */
export async function readImportFile(file: File): Promise<NonNullable<AskedImport['source']>> {
  refuseTooLarge(file.name, file.size);
  const { decodeText } = await import('@shared/import/decode-text');
  const text = decodeText(new Uint8Array(await file.arrayBuffer()), file.name);
  return { kind: 'text', name: file.name.slice(0, 300), text };
}

/** @throws {AppError} `import.too_large` */
export function refuseTooLarge(name: string, sizeBytes: number): void {
  if (sizeBytes <= maxImportBytes) return;
  const message = `${name} is larger than ${maxImportBytes / 1024 / 1024} MiB. Import it in parts.`;
  throw new AppError('import.too_large', message);
}
