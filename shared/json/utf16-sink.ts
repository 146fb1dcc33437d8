import type { JsonSink } from './json-sink';

/** Turns byte offsets into UTF-16 offsets; asked in rising order, it walks the bytes once. */
export class Utf16Map {
  private byte = 0;
  private unit = 0;

  constructor(private readonly bytes: Uint8Array) {}

  at(byte: number): number {
    while (this.byte < byte) {
      const code = this.bytes[this.byte++]!;
      if (code < 0x80 || code >= 0xc0) this.unit += code >= 0xf0 ? 2 : 1;
    }
    return this.unit;
  }
}

/** Passes on to a sink what a scan of text beyond ASCII finds, with UTF-16 offsets. */
export class Utf16Sink implements JsonSink {
  readonly levels: number;
  private readonly map: Utf16Map;

  constructor(
    bytes: Uint8Array,
    private readonly sink: JsonSink,
  ) {
    this.levels = sink.levels;
    this.map = new Utf16Map(bytes);
  }

  key(start: number, end: number, hasEscape: boolean): void {
    this.sink.key(this.map.at(start), this.map.at(end), hasEscape);
  }

  scalar(kind: number, start: number, end: number, hasEscape: boolean): void {
    this.sink.scalar(kind, this.map.at(start), this.map.at(end), hasEscape);
  }

  open(kind: number, start: number): void {
    this.sink.open(kind, this.map.at(start));
  }

  close(end: number): void {
    this.sink.close(this.map.at(end));
  }
}
