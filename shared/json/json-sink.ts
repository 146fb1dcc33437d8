/** What a value is. Numbers, not text: they are compared in the hottest loop of the product. */
export const JSON_STRING = 1;
export const JSON_NUMBER = 2;
export const JSON_TRUE = 3;
export const JSON_FALSE = 4;
export const JSON_NULL = 5;
export const JSON_OBJECT = 6;
export const JSON_ARRAY = 7;

/**
 * Receives what a scan finds, in the order of the text.
 *
 * Offsets are UTF-16 units. Those of strings and keys lie inside the quotes; `hasEscape` tells that the
 * text between them is not the value yet.
 */
export interface JsonSink {
  /** Members of this many levels of containers are told; deeper ones are checked in silence. */
  readonly levels: number;
  key(start: number, end: number, hasEscape: boolean): void;
  scalar(kind: number, start: number, end: number, hasEscape: boolean): void;
  open(kind: number, start: number): void;
  close(end: number): void;
}
