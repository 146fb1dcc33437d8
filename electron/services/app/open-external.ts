import type { Handlers } from '@shared/contract/contract';
import type { Ports } from '../../platform/ports';
import { errorsOf } from '../errors-of';

const RefusalError = errorsOf<'app.openExternal'>();

export interface ExternalPagesDeps {
  ports: Pick<Ports, 'openExternal'>;
  /** Where the embedded sandbox answers; null while it does not run. */
  sandboxUrl(): string | null;
  /** Whether a recorded acceptance named this address as its checkout page. */
  hasCheckoutUrl(url: string): boolean;
}

/**
 * Opens pages outside of the app, in the user's own browser.
 *
 * A page of the app asks for it, so what it may name is narrow: the local sandbox's own pages, and checkout pages that
 * a service gave. Anything else (`file:`, other programs' schemes, another site) is refused, whoever asks.
 */
export function createExternalPages(deps: ExternalPagesDeps): {
  handlers: Pick<Handlers, 'app.openExternal'>;
} {
  return {
    handlers: {
      async 'app.openExternal'({ url }) {
        const { openExternal } = deps.ports;
        if (openExternal === undefined) {
          throw new RefusalError(
            'app.not_available',
            'Pages cannot be opened from here. Copy the address into a browser.',
          );
        }
        await openExternal(checkAddress(url, deps));
        return {};
      },
    },
  };
}

function checkAddress(text: string, deps: ExternalPagesDeps): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:';
  if (url === null || !isWeb || url.username !== '' || url.password !== '' || !isKnown(text, url, deps)) {
    throw new RefusalError(
      'app.refused_address',
      'Only pages of the local sandbox and checkout pages that a service named are opened from here.',
    );
  }
  return url.href;
}

function isKnown(text: string, url: URL, { sandboxUrl, hasCheckoutUrl }: ExternalPagesDeps): boolean {
  const sandbox = sandboxUrl();
  return (sandbox !== null && url.origin === new URL(sandbox).origin) || hasCheckoutUrl(text);
}
