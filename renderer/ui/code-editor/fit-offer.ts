import type { Completion } from '@shared/body/complete-variable';
import { findChange } from './line-ends';

const punctuation = /["{}$%\s]/g;

/**
 * Fits an offer to a text that went on since the offer was made: who types fast takes what the last list named.
 *
 * @param before - the text that the offer was made for; its offsets count there
 * @param now - the text as it is
 * @returns the offer in offsets of `now`; null where what was typed since no longer leads to it
 */
export function fitOffer(offer: Completion, before: string, now: string): Completion | null {
  const change = findChange(before, now);
  if (change === null || change.start > offer.end) return offer;
  const grown = change.text.length - (change.end - change.start);
  if (change.end < offer.start) return { ...offer, start: offer.start + grown, end: offer.end + grown };
  if (change.start < offer.start || change.end > offer.end) return null;
  const typed = now.slice(offer.start, change.start + change.text.length);
  return leadsTo(typed, `${offer.label} ${offer.text} ${offer.detail}`)
    ? { ...offer, end: offer.end + grown }
    : null;
}

/** Tells whether the letters typed stand in a text, in their order. */
function leadsTo(typed: string, text: string): boolean {
  const searched = text.toLowerCase();
  let at = 0;
  for (const letter of typed.replace(punctuation, '').toLowerCase()) {
    const found = searched.indexOf(letter, at);
    if (found === -1) return false;
    at = found + letter.length;
  }
  return true;
}
