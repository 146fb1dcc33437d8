/** Bruno's own reader, which judges ours in a test; it comes without types. */
declare module '@usebruno/lang' {
  export function bruToJsonV2(text: string): unknown;
}
