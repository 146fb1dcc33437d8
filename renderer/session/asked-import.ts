import type { MethodInput } from '@shared/contract/contract';
import { AppError } from '@shared/errors';
import { decodeText } from '@shared/import/decode-text';
import { maxImportBytes } from '@shared/import/imported';
import { create } from 'zustand';

/** What is to be imported, and where to, as far as that is known. */
export interface AskedImport {
  /** Left out: the dialog asks for it. */
  source?: MethodInput<'imports.run'>['source'];
  collectionId?: string | undefined;
}

/** The import that is asked about now; whoever has something to import asks here. */
export const useAskedImport = create<{ asked: AskedImport | null }>(() => ({ asked: null }));

export function askToImport(asked: AskedImport | null): void {
  useAskedImport.setState({ asked });
}

/** Reads a file that was chosen or dropped, in the charset that it has. @throws {AppError} `import.*` */
export async function readImportFile(file: File): Promise<NonNullable<AskedImport['source']>> {
  refuseTooLarge(file.name, file.size);
  const text = decodeText(new Uint8Array(await file.arrayBuffer()), file.name);
  return { kind: 'text', name: file.name.slice(0, 300), text };
}

/** @throws {AppError} `import.too_large` */
export function refuseTooLarge(name: string, sizeBytes: number): void {
  if (sizeBytes <= maxImportBytes) return;
  const message = `${name} is larger than ${maxImportBytes / 1024 / 1024} MiB. Import it in parts.`;
  throw new AppError('import.too_large', message);
}
