import { z } from 'zod';
import { AppError } from '@shared/errors';
import { sandboxSettings } from '@shared/contract/sandbox';

/** What a tenant is made with. */
export interface TenantWish {
  readonly name: string;
  /** Null: it stays until it is removed. */
  readonly ttlSeconds: number | null;
  readonly callbackHosts: readonly string[];
  /** SPKI PEMs that its requests are signed with. */
  readonly publicKeys: readonly string[];
}

/** What a name may be: it is also that of a folder. */
const TENANT_NAME = /^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/;
const LONGEST_TTL_SECONDS = 31_536_000;
const MOST_KEYS = 20;

const wish = z.strictObject({
  name: z.string().regex(TENANT_NAME, '1 to 40 lower-case letters, digits and hyphens, no hyphen at an end'),
  ttl_seconds: z.number().int().min(1).max(LONGEST_TTL_SECONDS).nullable().default(null),
  callback_hosts: sandboxSettings.shape.allowedCallbackHosts.default([]),
  public_keys: z.array(z.string()).max(MOST_KEYS).default([]),
});

/** Reads what the admin address or the command line asks for. @throws {AppError} `sandbox.bad_request` */
export function readTenantWish(given: unknown): TenantWish {
  const checked = wish.safeParse(given);
  if (!checked.success) {
    const text = checked.error.issues.map(({ path, message }) => [...path, message].join(': ')).join('; ');
    throw new AppError('sandbox.bad_request', `No tenant was made. ${text}`);
  }
  const {
    name,
    ttl_seconds: ttlSeconds,
    callback_hosts: callbackHosts,
    public_keys: publicKeys,
  } = checked.data;
  return { name, ttlSeconds, callbackHosts, publicKeys };
}
