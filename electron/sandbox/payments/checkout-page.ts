import { createHash } from 'node:crypto';
import { escapeHtml } from '@shared/escape-html';
import { writeForeign } from '@shared/write-page';
import { parseWebUrl } from '@shared/payments/text-formats';
import { toFixed } from '../money/money';
import type { FinalState, Payment } from '../store/payment-store';

const STYLE = `
:root{color-scheme:light dark;--ink:#16181d;--dim:#5b6270;--paper:#fff;--ground:#f2f3f5;--line:#d9dce2;--go:#0b6b4f;--on-go:#fff;--focus:#1a5fd0}
@media(prefers-color-scheme:dark){:root{--ink:#e8eaee;--dim:#a2a9b6;--paper:#1b1e24;--ground:#111317;--line:#343944;--go:#5fd3ab;--on-go:#08251b;--focus:#8db8ff}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
main{max-width:26rem;margin:0 auto;padding:2rem 1.25rem;background:var(--paper);min-height:100vh}
@media(min-width:32rem){main{margin:3rem auto;min-height:0;border-radius:.5rem}}
h1{font-size:1.25rem;margin:0 0 .25rem}
p{margin:.25rem 0;color:var(--dim)}
dl{margin:1.5rem 0;display:grid;grid-template-columns:1fr auto;gap:.5rem 1rem}
dt{color:var(--dim)}dd{margin:0;text-align:right;font-variant-numeric:tabular-nums;overflow-wrap:anywhere}
.total{font-weight:600;color:var(--ink);border-top:1px solid var(--line);padding-top:.5rem}
form{display:grid;gap:.75rem}
button,a.button{font:inherit;min-height:3rem;border-radius:.375rem;border:1px solid var(--line);background:transparent;color:inherit;cursor:pointer;display:grid;place-items:center;text-decoration:none}
button.go,a.button{background:var(--go);border-color:var(--go);color:var(--on-go);font-weight:600}
:focus-visible{outline:3px solid var(--focus);outline-offset:2px}
.note{font-size:.875rem;margin-top:1.5rem}`;

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/** The outcomes that the page offers, by the name of its buttons. */
export const checkoutOutcomes: ReadonlyMap<string, FinalState> = new Map([
  ['pay', 'succeeded'],
  ['fail', 'failed'],
  ['cancel', 'canceled'],
]);

const RESULT_TITLES = {
  succeeded: 'Payment made',
  failed: 'Payment failed',
  canceled: 'Payment canceled',
} as const;

/**
 * Gives the headers of the page: one hashed style sheet, no script, nothing from elsewhere.
 *
 * @param formTargets - where its form may lead, the redirect after it included
 */
export function checkoutHeaders(formTargets: readonly string[]): string[] {
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${STYLE_HASH}'`,
    `form-action ${["'self'", ...formTargets].join(' ')}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ];
  return [
    'Content-Security-Policy',
    policy.join('; '),
    'Referrer-Policy',
    'no-referrer',
    'X-Content-Type-Options',
    'nosniff',
    'Cache-Control',
    'no-store',
  ];
}

/** Writes the page of a payment: the choice while it is open, what became of it afterwards. */
export function writeCheckoutPage(payment: Payment): string {
  const { checkout, state } = payment;
  const title = state === 'processing' ? 'Confirm your payment' : RESULT_TITLES[state];
  const name = checkout?.customerName ? `<p>${writeForeign(checkout.customerName)}</p>` : '';
  const below = state === 'processing' ? writeChoice() : writeWayBack(payment);
  return writePage(
    title,
    `<h1>${title}</h1>${name}<p>${writeForeign(checkout?.description ?? '')}</p>${writeAmounts(payment)}${below}`,
  );
}

/** Writes the page of a checkout that does not exist. */
export function writeUnknownCheckout(): string {
  return writePage(
    'Checkout not found',
    '<h1>Checkout not found</h1><p>This address belongs to no payment. Ask the shop for a new one.</p>',
  );
}

function writePage(title: string, content: string): string {
  return (
    '<!doctype html><html lang="en"><head><meta charset="utf-8">' +
    '<meta name="viewport" content="width=device-width,initial-scale=1">' +
    `<title>${title}</title><style>${STYLE}</style></head><body><main>${content}` +
    '<p class="note">Local sandbox: no money moves.</p></main></body></html>'
  );
}

function writeAmounts({ amountMinor, chargesMinor, currency, reference }: Payment): string {
  const money = (minor: bigint): string => `${currency} ${toFixed(minor)}`;
  return (
    `<dl><dt>Reference</dt><dd>${writeForeign(reference)}</dd>` +
    `<dt>Amount</dt><dd>${money(amountMinor)}</dd><dt>Charges</dt><dd>${money(chargesMinor)}</dd>` +
    `<dt class="total">Total</dt><dd class="total">${money(amountMinor + chargesMinor)}</dd></dl>`
  );
}

function writeChoice(): string {
  return (
    '<form method="post"><button class="go" name="outcome" value="pay">Pay</button>' +
    '<button name="outcome" value="fail">Let the payment fail</button>' +
    '<button name="outcome" value="cancel">Cancel</button></form>'
  );
}

/** Gives the address of the shop that the customer came from; null where there is none, or it is no web address. */
export function readWayBack({ checkout }: Payment): URL | null {
  return parseWebUrl(checkout?.redirectUrl ?? '');
}

function writeWayBack(payment: Payment): string {
  const shop = readWayBack(payment);
  if (shop === null) return '<p role="status">You can close this page.</p>';
  return `<a class="button" rel="noreferrer" href="${escapeHtml(shop.href)}">Back to the shop</a>`;
}
