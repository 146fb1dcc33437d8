import { isSecretName, secretNameSource } from '@shared/secrets';

/**
 * Cuts what must never be written down out of text: private keys, tokens, consumer secrets, passphrases.
 *
 * The last line of defence: nothing should hand such values to a log in the first place.
 */
export function redactText(text: string): string {
  return PATTERNS.reduce((rest, [pattern, replacement]) => rest.replace(pattern, replacement), text);
}

/** Cuts the same out of plain data, and every value whose name says that it is secret. Cycles and depth are bounded. */
export function redactValue(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return redactText(value);
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'function' || typeof value === 'symbol') return undefined;
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= MAX_DEPTH) return '[deep]';
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (value instanceof Error) return redactError(value, depth);
  if (Array.isArray(value)) return value.map((item) => redactValue(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      isSecretName(name) && item !== null && item !== undefined && typeof item !== 'boolean'
        ? CUT
        : redactValue(item, depth + 1),
    ]),
  );
}

/** Source of a pattern for a sign of Base64, as what it is quoted in may have written it: `\/` and `\u002F` in JSON, `%2F`, `&#47;`. Without bound, a very long text of them exceeds the stack. */
export const BASE64_SIGN = String.raw`(?:[\w+/=-]|\\{1,8}(?:[+/=-]|[ux](?:00)?(?:2[bBfF]|3[dD]))|%(?:25){0,4}(?:2[bBfF]|3[dD])|&#(?:4[37]|61|[xX](?:2[bBfF]|3[dD]));)`;

const CUT = '[cut]';
const MAX_DEPTH = 8;

/** Order matters: whole blocks first, then what stands in single values. */
const PATTERNS: readonly (readonly [RegExp, string])[] = [
  [
    /-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z0-9 ]*PRIVATE KEY-----|$)/g,
    '[private key cut]',
  ],
  // DER of a key as Base64, without its armour: starts as every SEQUENCE of more than 255 bytes does.
  [/\bMI[IHG][A-Za-z0-9+/\s]{200,}={0,2}/g, '[key cut]'],
  [/\beyJ[\w-]{5,4000}\.[\w-]{5,}(?:\.[\w-]*)?/g, '[token cut]'],
  [new RegExp(`\\b(Bearer|Basic)\\s+(?:[.~]|${BASE64_SIGN}){6,16384}`, 'gi'), '$1 [cut]'],
  [
    new RegExp(
      `(["']?\\b${secretNameSource}["']?\\s*[:=]\\s*)("(?:[^"\\\\]|\\\\.)*"|'[^']*'|[^\\s,;&}"']+)`,
      'gi',
    ),
    '$1[cut]',
  ],
];

function redactError(error: Error, depth: number): unknown {
  const { code } = error as { code?: unknown };
  return {
    name: error.name,
    message: redactText(error.message),
    ...(typeof code === 'string' ? { code } : {}),
    ...(error.stack === undefined ? {} : { stack: redactText(error.stack) }),
    ...(error.cause === undefined ? {} : { cause: redactValue(error.cause, depth + 1) }),
  };
}
