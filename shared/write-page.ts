import { escapeHtml } from './escape-html';
import { showControls } from './show-controls';
import { cutTurning } from './turning-text';

/**
 * Looks of a page that is given to others: light or dark as its reader's system is, light on paper; nothing in it is wider than
 * the page, however narrow, and each colour can be read on either ground.
 */
const style =
  ':root{color-scheme:light dark;--quiet:light-dark(#5b6472,#98a2b3);--good:light-dark(#0a7a4b,#4ccb8f);--bad:light-dark(#b42318,#ff8a7d)}' +
  ':root{background:Canvas;color:CanvasText}body{font:14px/1.5 system-ui,sans-serif;max-width:72rem;margin:2rem auto;padding:0 1rem}' +
  'h1,h2,p,td,dd,code{overflow-wrap:anywhere}code{font-size:.9em}' +
  'table{border-collapse:collapse;width:100%}' +
  'td,th{text-align:left;vertical-align:top;padding:.35rem .8rem .35rem 0;border-bottom:1px solid #8884}' +
  // Columns would be a letter wide: cells stand below each other.
  '@media screen and (max-width:640px){thead{display:none}table,tbody,tr,td{display:block}tr{border-bottom:1px solid #8884;padding:.35rem 0}td{border:0;padding:0}}' +
  '@media print{:root{color-scheme:light}body{margin:0;padding:0}tr,h2{break-inside:avoid}h2{break-after:avoid}}';

/**
 * Writes one HTML page that needs nothing else, loads nothing and runs nothing.
 *
 * @param title - text, not HTML
 * @param css - what this page has beside the looks of all: `--quiet`, `--good` and `--bad` are colours
 * @param body - HTML, every text in it escaped
 */
export function writePage(title: string, css: string, body: readonly string[]): string {
  return [
    '<!doctype html>',
    '<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">',
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    `<title>${escapeHtml(title)}</title><style>${style}${css}</style></head><body><main>`,
    ...body,
    '</main></body></html>',
    '',
  ].join('\n');
}

/** Text from elsewhere, for a page: nothing in it runs, turns what stands beside it round, or takes minutes to lay out. */
export const writeForeign = (text: string): string => escapeHtml(showControls(cutTurning(text)));
