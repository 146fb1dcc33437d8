import { writeCurlScript } from './curl/write-curl-script';
import type { ExportFormat } from './export-formats';
import type { ExportResult, ExportSource } from './export-source';
import { writeHar } from './har/write-har';
import { writeHttpyac } from './httpyac/write-httpyac';
import { writeOpenApi } from './openapi/write-openapi';
import { writePostman } from './postman/write-postman';

const writers: Readonly<Record<ExportFormat, (source: ExportSource) => ExportResult>> = {
  curl: writeCurlScript,
  postman: writePostman,
  openapi: writeOpenApi,
  har: writeHar,
  httpyac: writeHttpyac,
};

/**
 * Writes a collection in the form of another tool.
 *
 * No secret is ever in it: what is one by its name, or was typed where one stands, becomes a variable without a value.
 */
export function exportCollection(source: ExportSource, format: ExportFormat): ExportResult {
  return writers[format](source);
}
