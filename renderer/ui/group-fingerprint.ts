/** The whole fingerprint in groups of four. */
export function groupFingerprint(fingerprint: string): string {
  return fingerprint.replace(/(.{4})(?=.)/g, '$1 ');
}
