/** The few platform globals that Node, Electron and browsers share; `shared/` may use these and nothing else. */
declare class TextEncoder {
  encode(input?: string): Uint8Array<ArrayBuffer>;
  encodeInto(source: string, destination: Uint8Array): { read: number; written: number };
}
declare class TextDecoder {
  constructor(label?: string, options?: { fatal?: boolean; ignoreBOM?: boolean });
  decode(input?: ArrayBuffer | ArrayBufferView, options?: { stream?: boolean }): string;
}
declare class URL {
  static canParse(url: string, base?: string): boolean;
  constructor(url: string, base?: string | URL);
  href: string;
  origin: string;
  protocol: string;
  host: string;
  hostname: string;
  port: string;
  pathname: string;
  search: string;
  hash: string;
  username: string;
  password: string;
  toString(): string;
}
declare function atob(data: string): string;
declare function btoa(data: string): string;
/** The text of a file, as the bundler gives it. */
declare module '*.js?raw' {
  const text: string;
  // eslint-disable-next-line import-x/no-default-export -- that is how the bundler gives it.
  export default text;
}
