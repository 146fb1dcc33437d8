import { isLoopbackName } from '@shared/payments/text-formats';
import type { OpenedInbox, TlsProof } from './open-team-inbox';
import type { StoreAddress } from '../../listener/postgres/store-address';

interface Fact {
  tone: 'good' | 'warn' | 'bad';
  text: string;
}

/** Says what a test of a connection found: how it is encrypted, and what its user may do. */
export function describeConnection({ address, tls, user, mayMark, server }: OpenedInbox): Fact[] {
  return [
    describeTls(address, tls),
    describeRights(user, mayMark, server.isStandby),
    ...server.remarks.map((text) => ({ tone: 'warn' as const, text })),
  ];
}

function describeRights(user: string, mayMark: boolean, isStandby: boolean): Fact {
  if (isStandby) {
    const text = `${user} may read, but the server is a standby: nothing is told as it comes, and nothing can be marked. Name the primary server.`;
    return { tone: 'warn', text };
  }
  return mayMark
    ? { tone: 'good', text: `${user} may read, keep read marks, and pin and note for the team.` }
    : { tone: 'warn', text: `${user} may read, and change nothing: no read marks, pins or notes.` };
}

function describeTls({ tls: mode, host }: Pick<StoreAddress, 'tls' | 'host'>, tls: TlsProof | null): Fact {
  if (tls === null) {
    return isLoopbackName(host)
      ? { tone: 'good', text: 'Connected, not encrypted. It stays on this machine.' }
      : {
          tone: 'bad',
          text: 'Connected, not encrypted: whoever is on the way can read and change what goes over it.',
        };
  }
  const { protocol, subject, issuer, validTo } = tls;
  if (mode === 'verify-full') {
    const text = `Connected, encrypted by ${protocol}. The certificate is for ${subject}, by ${issuer}, until ${validTo}; both were checked.`;
    return { tone: 'good', text };
  }
  if (mode === 'verify-ca') {
    const text = `Connected, encrypted by ${protocol}. ${issuer} issued the certificate; that it is for this host was not checked.`;
    return { tone: 'warn', text };
  }
  return {
    tone: 'warn',
    text: `Connected, encrypted by ${protocol}, but whose certificate it is was not checked: another server could stand in its place.`,
  };
}
