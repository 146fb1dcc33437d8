import type { Given } from '../../platform/ports';
import { isAddressOf } from '../environments/address-binding';
import type { EnvironmentsService } from '../environments/create-environments-service';
import type { TokensService } from './create-tokens-service';

interface SecretSources {
  readonly given: Pick<Given, 'token' | 'credentials'>;
  readonly environments: Pick<EnvironmentsService, 'list'>;
  readonly tokens: Pick<TokensService, 'listKnownSecrets'>;
}

/**
 * Lists what must not be shown or kept of what passes to an address, wherever it stands: what the run was given, and what is kept
 * for the environments that are there.
 *
 * Where the vault tells nothing, secrets are masked by their names alone.
 * @param target - null: all environments
 */
export async function listSecretsThere(
  target: URL | null,
  { given, environments, tokens }: SecretSources,
): Promise<string[]> {
  const there = environments
    .list()
    .filter(({ baseUrl }) => target === null || isAddressOf(target.href, baseUrl));
  const kept = await Promise.all(there.map(({ id }) => tokens.listKnownSecrets(id)));
  const ofRun = [given.token, given.credentials?.consumerSecret].filter((one) => typeof one === 'string');
  return [...new Set([...ofRun, ...kept.flat()])];
}
