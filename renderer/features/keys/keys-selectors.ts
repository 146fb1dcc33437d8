import type { VaultStatus } from '@shared/contract/vault';
import type { MethodOutput } from '@shared/contract/contract';
import { formatDuration } from '../../ui/format-time';

export type TokenSummary = MethodOutput<'tokens.list'>['tokens'][number];

/** A fingerprint as people compare it: groups of four, the middle left out. */
export function shortFingerprint(fingerprint: string): string {
  const head = fingerprint.slice(0, 12).replace(/(.{4})(?=.)/g, '$1 ');
  return fingerprint.length > 20 ? `${head} … ${fingerprint.slice(-4)}` : fingerprint;
}

/** True where the text is a private key under a passphrase, as far as its header tells. */
export function isEncryptedPem(text: string): boolean {
  return /BEGIN ENCRYPTED PRIVATE KEY|Proc-Type:\s*4,\s*ENCRYPTED/.test(text);
}

/** How long a token still holds: words, and whether it is nearly or wholly over. */
export function describeExpiry(
  expiresAt: number | null,
  now: number,
): { text: string; tone: 'good' | 'warn' | 'bad' | 'quiet' } {
  if (expiresAt === null) return { text: 'no expiry told', tone: 'quiet' };
  const left = expiresAt - now;
  if (left <= 0) return { text: `expired ${formatDuration(-left)} ago`, tone: 'bad' };
  const seconds = Math.floor(left / 1000);
  const clock = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  return {
    text: seconds < 6000 ? `${clock} left` : `${formatDuration(left)} left`,
    tone: left < 60_000 ? 'warn' : 'good',
  };
}

const timeClaims = new Set(['exp', 'iat', 'nbf', 'auth_time']);

/** A claim as text; instants also as a date. */
export function describeClaim(name: string, value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (!timeClaims.has(name) || typeof value !== 'number' || !Number.isFinite(value)) return text;
  const date = new Date(value * 1000);
  return Number.isNaN(date.getTime()) ? text : `${text} · ${date.toISOString().replace('.000', '')}`;
}

const boxNames: Record<VaultStatus['box'], string> = {
  os_keychain: 'sealed by the OS keychain',
  passphrase: 'sealed by your passphrase',
  key_file: 'sealed by a key file on this disk',
  memory: 'in memory, gone on exit',
};

/** What the vault is and what seals it, in one line. */
export function describeVault(status: VaultStatus): string {
  const state = { unlocked: 'Unlocked', locked: 'Locked', unreadable: 'Unreadable' }[status.state];
  return `${state}, ${boxNames[status.box]}`;
}

/** Of every key file that is offered to save. */
export const pemType = 'application/x-pem-file';

/** File name for one half of a key: the key's name without what file systems dislike. */
export function keyFileName(name: string, half: 'public' | 'private-encrypted'): string {
  const safe = name
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|(?<!-)-+$/g, '')
    .toLowerCase();
  return `${safe || 'key'}-${half}.pem`;
}
