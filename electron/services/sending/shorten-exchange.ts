import type { Exchange } from '@shared/contract/sending';
import { shownBodySize } from '@shared/contract/shown-size';

/** Gives an exchange with the beginning of a long answer's body, where a screen asks for it; whole for everybody else. */
export function shortenExchange(exchange: Exchange, isForScreen: boolean | undefined): Exchange {
  const { response } = exchange;
  if (!isForScreen || response === null || response.body.length <= shownBodySize) return exchange;
  return {
    ...exchange,
    response: {
      ...response,
      body: response.body.slice(0, shownBodySize),
      bodyBase64: null,
      isBodyShortened: true,
    },
  };
}
