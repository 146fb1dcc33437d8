import type { Exchange } from '@shared/contract/sending';

/** A screen shows this much of a body: more would hold its window up, and nobody reads it there. */
const SHOWN_CHARS = 1024 * 1024;

/** Gives an exchange with the beginning of a long answer's body, where a screen asks for it; whole for everybody else. */
export function shortenExchange(exchange: Exchange, isForScreen: boolean | undefined): Exchange {
  const { response } = exchange;
  if (!isForScreen || response === null || response.body.length <= SHOWN_CHARS) return exchange;
  return {
    ...exchange,
    response: {
      ...response,
      body: response.body.slice(0, SHOWN_CHARS),
      bodyBase64: null,
      isBodyShortened: true,
    },
  };
}
