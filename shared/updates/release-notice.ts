import { z } from 'zod';

/** A notice is longer than this only by mistake or by malice, in bytes. */
export const MOST_NOTICE_BYTES = 64 * 1024;
/** Largest file of a release, in bytes. */
export const MOST_FILE_BYTES = 1024 ** 3;

const version = z.string().regex(/^\d{1,6}\.\d{1,6}\.\d{1,6}$/, 'a version is three numbers, as 1.2.0');

/**
 * What a publisher says of a release: `latest.json`. Its signature (Ed25519, Base64) lies beside it as `latest.json.sig`, its
 * files beside both, by their names alone: nothing leads to another place.
 */
export const releaseNotice = z.object({
  app: z.literal('countersign'),
  version,
  /** Day of the release, `2026-12-01`. */
  released: z.string().regex(/^\d{4}-\d{2}-\d{2}$/),
  notes: z.string().max(20_000),
  files: z
    .array(
      z.object({
        name: z
          .string()
          .max(120)
          .regex(/^[A-Za-z0-9][A-Za-z0-9._+-]*$/, 'the name of a file, without a folder'),
        system: z.enum(['linux', 'darwin', 'win32']),
        arch: z.enum(['x64', 'arm64', 'universal']),
        size: z.number().int().min(1).max(MOST_FILE_BYTES),
        /** Of the whole file, hexadecimal. */
        sha512: z.string().regex(/^[0-9a-f]{128}$/),
      }),
    )
    .max(50),
});
export type ReleaseNotice = z.infer<typeof releaseNotice>;

/** Tells whether a version is later than another; both are three numbers. */
export function isLater(one: string, other: string): boolean {
  const [ones, others] = [one, other].map((text) => text.split('.').map(Number));
  const at = ones!.findIndex((number, index) => number !== others![index]);
  return at !== -1 && ones![at]! > (others![at] ?? 0);
}
