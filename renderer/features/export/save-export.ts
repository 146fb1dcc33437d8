import type { MethodOutput } from '@shared/contract/contract';
import { exportFormats, type ExportFormat } from '@shared/export/export-formats';
import { writeZip } from '@shared/export/write-zip';
import { readBase64 } from '../../session/base64-bytes';
import { saveFile } from '../../ui/save-file';

/** Offers what was exported as one file to save; a folder comes as an archive. */
export function saveExport({ name, files }: MethodOutput<'collections.export'>, format: ExportFormat): void {
  const { extension, isFolder } = exportFormats[format];
  if (isFolder) {
    const contents = files.map(({ path, base64 }) => ({ path, bytes: readBase64(base64) }));
    saveFile(`${name}.${extension}.zip`, writeZip(contents), 'application/zip');
    return;
  }
  const [file] = files;
  if (file === undefined) return;
  const type = extension.endsWith('json') || extension === 'har' ? 'application/json' : 'text/x-shellscript';
  saveFile(`${name}.${extension}`, readBase64(file.base64), type);
}
