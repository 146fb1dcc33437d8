import { isIP } from 'node:net';
import { isLoopbackName } from '@shared/payments/text-formats';

/**
 * What an address is to the sandbox. `forbidden` is never connected to, whatever was allowed: link-local,
 * cloud metadata, multicast, unspecified, and forms that carry such an address inside another one.
 */
export type AddressClass = 'public' | 'loopback' | 'private' | 'forbidden';

/** Why a callback host may be connected to; null: it may not. */
export type HostGrant = 'loopback' | 'allowed' | 'own' | null;

interface Range {
  readonly prefix: readonly number[];
  readonly bits: number;
  readonly is: AddressClass;
}

/** First match counts. @source IANA special-purpose registries; metadata addresses as their clouds document them */
const ranges4: readonly Range[] = [
  range4('127.0.0.0', 8, 'loopback'),
  range4('0.0.0.0', 8, 'forbidden'),
  range4('169.254.0.0', 16, 'forbidden'),
  range4('100.100.100.200', 32, 'forbidden'),
  range4('168.63.129.16', 32, 'forbidden'),
  range4('192.0.0.0', 24, 'forbidden'),
  range4('224.0.0.0', 4, 'forbidden'),
  range4('240.0.0.0', 4, 'forbidden'),
  range4('10.0.0.0', 8, 'private'),
  range4('172.16.0.0', 12, 'private'),
  range4('192.168.0.0', 16, 'private'),
  range4('100.64.0.0', 10, 'private'),
  range4('198.18.0.0', 15, 'private'),
];

const ranges6: readonly Range[] = [
  range6('::1', 128, 'loopback'),
  range6('fd00:ec2::254', 128, 'forbidden'),
  range6('fe80::', 10, 'forbidden'),
  range6('fec0::', 10, 'forbidden'),
  range6('ff00::', 8, 'forbidden'),
  range6('fc00::', 7, 'private'),
  // Discard-only, local-use translation and Teredo lead somewhere that cannot be judged from here.
  range6('100::', 64, 'forbidden'),
  range6('64:ff9b:1::', 48, 'forbidden'),
  range6('2001::', 32, 'forbidden'),
];

function range4(address: string, bits: number, is: AddressClass): Range {
  return { prefix: parse4(address), bits, is };
}

function range6(address: string, bits: number, is: AddressClass): Range {
  return { prefix: parse6(address), bits, is };
}

function parse4(address: string): number[] {
  return address.split('.').map(Number);
}

/** Reads an IPv6 address that `isIP` has accepted, without its zone, into 16 bytes. */
function parse6(address: string): number[] {
  const dotted = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(address);
  const text = dotted ? `${dotted[1]}${toHexPair(parse4(dotted[2]!))}` : address;
  const [head = '', tail] = text.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? [] : new Array<string>(8 - left.length - right.length).fill('0');
  return [...left, ...zeros, ...right].flatMap((group) => {
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 255];
  });
}

function toHexPair(bytes: readonly number[]): string {
  const [a = 0, b = 0, c = 0, d = 0] = bytes;
  return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
}

function isWithin(bytes: readonly number[], { prefix, bits }: Range): boolean {
  for (let bit = 0; bit < bits; bit += 8) {
    const mask = bits - bit >= 8 ? 255 : (255 << (8 - (bits - bit))) & 255;
    if (((bytes[bit >> 3]! ^ prefix[bit >> 3]!) & mask) !== 0) return false;
  }
  return true;
}

function classify4(bytes: readonly number[]): AddressClass {
  return ranges4.find((range) => isWithin(bytes, range))?.is ?? 'public';
}

const isZero = (bytes: readonly number[]): boolean => bytes.every((byte) => byte === 0);

function classify6(bytes: readonly number[]): AddressClass {
  const listed = ranges6.find((range) => isWithin(bytes, range))?.is;
  if (listed) return listed;
  const isMapped = isZero(bytes.slice(0, 10)) && bytes[10] === 255 && bytes[11] === 255;
  // The kernel connects a mapped address to the IPv4 address itself.
  if (isMapped) return classify4(bytes.slice(12));
  if (isZero(bytes.slice(0, 12))) return 'forbidden';
  const carried =
    bytes[0] === 0x20 && bytes[1] === 0x02
      ? bytes.slice(2, 6)
      : isWithin(bytes, { prefix: parse6('64:ff9b::'), bits: 96, is: 'public' })
        ? bytes.slice(12)
        : null;
  if (carried) return classify4(carried) === 'public' ? 'public' : 'forbidden';
  return 'public';
}

/**
 * Tells what kind of address this is; a text that is no address is `forbidden`.
 * @param address - IPv4 or IPv6 as a resolver or `URL` gives it; brackets and a zone are taken off
 */
export function classifyAddress(address: string): AddressClass {
  const plain = stripBrackets(address).split('%')[0]!;
  const family = isIP(plain);
  if (family === 4) return classify4(parse4(plain));
  if (family === 6) return classify6(parse6(plain));
  return 'forbidden';
}

/** Takes the brackets off an IPv6 host of a URL. */
export function stripBrackets(hostname: string): string {
  return hostname.startsWith('[') && hostname.endsWith(']') ? hostname.slice(1, -1) : hostname;
}

/** Brings a host name to one form: lower case, no closing dot, no brackets. */
export function normalizeHost(hostname: string): string {
  return stripBrackets(hostname.toLowerCase().replace(/\.$/, ''));
}

/**
 * Says by which rule a callback host may be connected to.
 * @param allowedHosts - names or addresses, with or without a port
 * @param isOwnHost - tells the app's own tunnel host
 */
export function grantHost(
  url: URL,
  allowedHosts: readonly string[],
  isOwnHost: (host: string) => boolean = () => false,
): HostGrant {
  const host = normalizeHost(url.hostname);
  const port = url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port;
  const isAllowed = allowedHosts.some((entry) => {
    const plain = normalizeHost(entry.trim());
    return plain === host || normalizeAllowedAddress(plain) === host || plain === `${host}:${port}`;
  });
  if (isAllowed) return 'allowed';
  if (isLoopbackName(host) || (isIP(host) !== 0 && classifyAddress(host) === 'loopback')) return 'loopback';
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
