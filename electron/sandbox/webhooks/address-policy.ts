import { BlockList, isIP } from 'node:net';
import { isLoopbackName } from '@shared/payments/text-formats';

/**
 * What an address is to the sandbox. `forbidden` is never connected to, whatever was allowed: link-local,
 * cloud metadata, multicast, unspecified, and forms that carry such an address inside another one.
 */
export type AddressClass = 'public' | 'loopback' | 'private' | 'forbidden';

/** Why a callback host may be connected to; null: it may not. */
export type HostGrant = 'loopback' | 'allowed' | 'own' | null;

type Subnet = readonly [address: string, bits: number];

/** IPv4 ranges that are not public. @source IANA special-purpose registries; metadata addresses as their clouds document them */
const ranges4 = {
  loopback: [['127.0.0.0', 8]],
  forbidden: [
    ['0.0.0.0', 8],
    ['169.254.0.0', 16],
    ['100.100.100.200', 32],
    ['168.63.129.16', 32],
    ['192.0.0.0', 24],
    ['224.0.0.0', 4],
    ['240.0.0.0', 4],
  ],
  private: [
    ['10.0.0.0', 8],
    ['172.16.0.0', 12],
    ['192.168.0.0', 16],
    ['100.64.0.0', 10],
    ['198.18.0.0', 15],
  ],
} as const satisfies Record<string, readonly Subnet[]>;

/** The same for IPv6. An address of `::/96` carries an IPv4 address in a form that nobody routes. */
const ranges6 = {
  loopback: [['::1', 128]],
  forbidden: [
    ['::', 96],
    ['fd00:ec2::254', 128],
    ['fe80::', 10],
    ['fec0::', 10],
    ['ff00::', 8],
    // Discard-only, local-use translation and Teredo lead somewhere that cannot be judged from here.
    ['100::', 64],
    ['64:ff9b:1::', 48],
    ['2001::', 32],
    // 6to4 and NAT64 lead to the IPv4 address in them: forbidden where that is not public.
    ...Object.values(ranges4)
      .flat()
      .flatMap(([address, bits]): Subnet[] => [
        [`2002:${toHexPair(address)}::`, 16 + bits],
        [`64:ff9b::${toHexPair(address)}`, 96 + bits],
      ]),
  ],
  private: [['fc00::', 7]],
} as const satisfies Record<string, readonly Subnet[]>;

function toHexPair(address: string): string {
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
  return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
}

/** The first class that has an address counts: a metadata address is forbidden though its range is private. */
const classes = (['loopback', 'forbidden', 'private'] as const).map((kind) => {
  const list = new BlockList();
  for (const [address, bits] of ranges4[kind]) list.addSubnet(address, bits, 'ipv4');
  for (const [address, bits] of ranges6[kind]) list.addSubnet(address, bits, 'ipv6');
  return { kind, list };
});

/**
 * Tells what kind of address this is; a text that is no address is `forbidden`. An IPv4 address in its mapped form
 * (`::ffff:…`) is what the IPv4 address is: the kernel connects to that.
 * @param address - IPv4 or IPv6 as a resolver or `URL` gives it; brackets and a zone are taken off
 */
export function classifyAddress(address: string): AddressClass {
  const plain = stripBrackets(address).split('%')[0]!;
  const family = isIP(plain);
  if (family === 0) return 'forbidden';
  const found = classes.find(({ list }) => list.check(plain, family === 4 ? 'ipv4' : 'ipv6'));
  return found?.kind ?? 'public';
}

/** Takes the brackets off an IPv6 host of a URL. */
export function stripBrackets(hostname: string): string {
  return hostname.startsWith('[') && hostname.endsWith(']') ? hostname.slice(1, -1) : hostname;
}

/** Brings a host name to one form: lower case, no closing dot, no brackets. */
export function normalizeHost(hostname: string): string {
  return stripBrackets(hostname.toLowerCase().replace(/\.$/, ''));
}

/** Where webhooks may go. */
export interface HostRules {
  /** Names or addresses, with or without a port. */
  readonly allowedHosts: readonly string[];
  /** Tells the app's own tunnel host. */
  isOwnHost?(host: string): boolean;
  /** Others than this machine reach the sandbox: what else listens on its loopback is not for them. */
  readonly isExposed?: boolean | undefined;
}

/**
 * Says by which rule a callback host may be connected to.
 */
export function grantHost(
  url: URL,
  { allowedHosts, isOwnHost = () => false, isExposed = false }: HostRules,
): HostGrant {
  const host = normalizeHost(url.hostname);
  const port = url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port;
  const isAllowed = allowedHosts.some((entry) => {
    const plain = normalizeHost(entry.trim());
    return plain === host || normalizeAllowedAddress(plain) === host || plain === `${host}:${port}`;
  });
  if (isAllowed) return 'allowed';
  const isLoopback = isLoopbackName(host) || (isIP(host) !== 0 && classifyAddress(host) === 'loopback');
  if (isLoopback) return isExposed ? null : 'loopback';
  return isOwnHost(host) ? 'own' : null;
}

/** `URL` writes addresses its own way (`fd00:0:0::1` becomes `fd00::1`); an entry is compared in that form. */
function normalizeAllowedAddress(entry: string): string {
  const family = isIP(entry);
  if (family === 0) return entry;
  return normalizeHost(new URL(`http://${family === 6 ? `[${entry}]` : entry}`).hostname);
}

/** Says why an address may not be connected to; null: it may. */
export function judgeAddress(address: string, grant: Exclude<HostGrant, null>): string | null {
  const kind = classifyAddress(address);
  if (kind === 'forbidden') {
    return `${address} is a link-local, metadata or reserved address: webhooks are never sent there`;
  }
  if (grant === 'loopback' && kind !== 'loopback') return `${address} is not on this machine`;
  if (kind === 'private' && grant !== 'allowed') {
    return `${address} is a private address: allow its host by name with --allow-callback-host`;
  }
  return null;
}
