import { describe, expect, it } from 'vitest';
import type { Completion } from '@shared/body/complete-variable';
import { fitOffer } from './fit-offer';

const before = '{ "description": "{{bas" }';
const at = before.indexOf('{{bas');
const offer: Completion = {
  label: '{{base_url}}',
  detail: 'http://127.0.0.1',
  start: at,
  end: at + 5,
  text: '{{base_url}}',
  caret: 12,
};

/** The text after the offer was taken. */
function take(now: string): string | null {
  const fitted = fitOffer(offer, before, now);
  return fitted && now.slice(0, fitted.start) + fitted.text + now.slice(fitted.end);
}

describe('an offer for a text that went on', () => {
  it('stays as it is where nothing changed', () => {
    expect(fitOffer(offer, before, before)).toBe(offer);
  });

  it('replaces the letters that were typed since', () => {
    const taken = '{ "description": "{{base_url}}" }';
    expect(take(before.replace('bas', 'base'))).toBe(taken);
    expect(take(before.replace('bas', 'base_u'))).toBe(taken);
    expect(take(before.replace('bas', 'b'))).toBe(taken);
  });

  it('is none where they lead elsewhere, or where its own beginning is gone', () => {
    expect(take(before.replace('bas', 'basq'))).toBeNull();
    expect(take(before.replace('"{{bas"', 'n'))).toBeNull();
  });

  it('moves with what changed before it, and ignores what changed behind it', () => {
    expect(take(before.replace('{ "', '{\n  "'))).toBe('{\n  "description": "{{base_url}}" }');
    expect(take(`${before}\n`)).toBe('{ "description": "{{base_url}}" }\n');
  });
});
