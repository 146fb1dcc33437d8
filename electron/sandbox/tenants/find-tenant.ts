import { parseRecord } from '@shared/json/parse-or-nothing';
import { findOperation } from '@shared/payments/tables/operations';
import type { HttpRequest } from '../../platform/http1/connection';
import { readServiceHeaders } from '../http/service-headers';
import type { Tenancy } from '../open-tenancy';
import type { Tenants } from './open-tenants';

/** Headers whose tenant is remembered; beyond it all are forgotten. */
const CACHE_LIMIT = 2000;
/** Longer ones are of no tenant: none was issued. */
const LONGEST_HEADER = 4096;

/**
 * Makes what tells whose a request is: by the consumer key that its token names, or that it asks a token for.
 *
 * Nothing of a token is checked here. Each tenant signs tokens with a secret of its own, so that one which only says
 * that it is a tenant's is refused by that tenant. What names nobody is the operator's.
 */
export function createTenantFinder(own: Tenancy, tenants: Tenants): (request: HttpRequest) => Tenancy {
  let known = new Map<string, Tenancy>();
  let knownOf = tenants.revision;
  const findByHeader = (authorization: string): Tenancy => {
    const found = known.get(authorization);
    if (found !== undefined) return found;
    const subject = readSubject(authorization);
    const tenant = subject === null ? null : tenants.findByConsumerKey(subject);
    if (tenant === null) return own;
    if (known.size >= CACHE_LIMIT) known = new Map();
    known.set(authorization, tenant);
    return tenant;
  };
  return (request) => {
    if (tenants.count === 0) return own;
    if (knownOf !== tenants.revision) {
      known = new Map();
      knownOf = tenants.revision;
    }
    if (isTokenRequest(request.target)) {
      const key = readMember(request.body, 'consumer_key');
      return (key === null ? null : tenants.findByConsumerKey(key)) ?? own;
    }
    const { authorization } = readServiceHeaders(request.headers);
    return authorization === undefined ? own : findByHeader(authorization);
  };
}

/** Reads whom a bearer token is for by its own word; null where it says nothing. */
function readSubject(authorization: string): string | null {
  if (authorization.length > LONGEST_HEADER) return null;
  const payload = /^Bearer +[^.\s]*\.([^.\s]+)\./i.exec(authorization)?.[1];
  return payload === undefined ? null : readMember(Buffer.from(payload, 'base64url'), 'sub');
}

function isTokenRequest(target: string): boolean {
  const mark = target.indexOf('?');
  return findOperation(mark === -1 ? target : target.slice(0, mark))?.operation === 'token';
}

function readMember(json: Buffer, name: string): string | null {
  // Whoever answers it says what is wrong with one that is none.
  const value = parseRecord(json.toString('utf8'))?.[name];
  return typeof value === 'string' ? value : null;
}
