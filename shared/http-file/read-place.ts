import { isLoopbackName } from '../payments/text-formats';

/** IPv4 as an address of IPv6 has it, in the two numbers that URLs write of it. */
const mapped = /^\[::ffff:([\da-f]{1,4}):([\da-f]{1,4})\]$/;

function unmap(hostname: string): string {
  const [, high, low] = mapped.exec(hostname) ?? [];
  if (high === undefined || low === undefined) return hostname;
  return [high, low].flatMap((one) => [parseInt(one, 16) >> 8, parseInt(one, 16) & 0xff]).join('.');
}

/**
 * Gives the host and port of an address so that its other spellings are the same: a dot at its end, IPv4 within IPv6, the
 * names of this machine. Names are not looked up.
 *
 * @returns null: it is no address
 */
export function readPlace(address: string): string | null {
  if (!URL.canParse(address)) return null;
  const { hostname, port } = new URL(address);
  const name = unmap(hostname.replace(/\.$/, ''));
  const isThisMachine = isLoopbackName(name) || name === '0.0.0.0' || name === '[::]';
  return `${isThisMachine ? 'localhost' : name}:${port}`;
}
