import type { SendInput } from '@shared/contract/sending';
import { findProductionOf, type KnownEnvironment } from '@shared/http-file/find-production';
import { errorsOf } from '../errors-of';

const SendingError = errorsOf<'sending.send'>();

export interface ProductionDeps {
  readonly environments: {
    /** Those that are production, of all that there are now. */
    listProduction(): Promise<readonly KnownEnvironment[]>;
  };
}

/**
 * Refuses what would go to production without the user's word for that environment.
 *
 * The last look, at the address as it leaves, before a token is asked for: whoever asked the user before, and whatever a
 * capture or a row has made of it. Values of the vault never decide where a request goes.
 * @throws {AppError} `sending.not_confirmed` (`{ environment, label, host }`)
 */
export async function requireWord(
  { environments }: ProductionDeps,
  { url, environment, production }: Pick<SendInput, 'url' | 'environment' | 'production'>,
): Promise<void> {
  const live = findProductionOf(url, await environments.listProduction(), { id: environment });
  if (live === null || live.id === production) return;
  const { name, label } = live;
  const host = URL.canParse(url) ? new URL(url).host : url;
  throw new SendingError(
    'sending.not_confirmed',
    `This goes to ${host} in '${label}', which is production, and nobody said yes to that: nothing was sent. ` +
      `To send it, choose '${label}' in the app and answer what it asks, or give countersign send or run --production '${name}' (in a call by hand: production, with the id '${live.id}').`,
    { details: { environment: live.id, label, host } },
  );
}
