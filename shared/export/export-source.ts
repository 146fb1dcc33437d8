import type { DynamicSources } from '../http-file/dynamic-values';

/** A collection as it lies on the disk, and what its variables are. */
export interface ExportSource {
  /** Of the collection or of the part of it that is exported. */
  readonly name: string;
  /** In the order of the tree; paths relative, `/` between parts. */
  readonly files: readonly { readonly path: string; readonly text: string }[];
  /** Answers that are kept beside requests; `owner` is the path of the request's file. Left out: none. */
  readonly examples?: readonly {
    readonly path: string;
    readonly owner: string;
    readonly name: string;
    readonly text: string;
  }[];
  /** Whose values stand in the export; secret ones never do. Null: none was chosen. */
  readonly environment: ExportEnvironment | null;
  /** Gives the bytes of a file that stands in a body (`< file`); null: there is none to be had. */
  readFile(path: string, file: string): Uint8Array | null;
  /** For values that are drawn while exporting, where the other tool has none of its own. */
  readonly sources: DynamicSources;
  /** Of this program: the archive names what wrote it. */
  readonly version: string;
}

export interface ExportEnvironment {
  readonly name: string;
  readonly baseUrl: string;
  readonly variables: Readonly<Record<string, string>>;
  /** Variables that are kept from others whatever they are called. */
  readonly privateNames: readonly string[];
}

/** What was left out or became something else, and where. */
export interface ExportNote {
  where: string;
  what: string;
}

/** One file of an export: text, or bytes where it is none. */
export interface ExportedFile {
  path: string;
  content: string | Uint8Array;
}

export interface ExportResult {
  files: ExportedFile[];
  requests: number;
  notes: ExportNote[];
}
