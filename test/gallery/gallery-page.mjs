import { looks } from './take-pictures.mjs';

const escapes = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeHtml = (text) => text.replace(/[&<>"]/g, (one) => escapes[one]);

const style = `
  :root { color-scheme: light dark; font: 14px/1.45 system-ui, sans-serif; }
  body { margin: 0 auto; max-width: 1700px; padding: 24px; }
  nav { display: flex; flex-wrap: wrap; gap: 4px 16px; }
  h2 { margin: 40px 0 8px; } h3 { margin: 24px 0 8px; font-size: 14px; }
  .row { display: grid; grid-template-columns: repeat(var(--columns), 1fr); gap: 8px; }
  img { width: 100%; border: 1px solid #8886; } figure { margin: 0; } figcaption { font-size: 12px; opacity: .75; }
  .fault { color: #c22; } .changed { outline: 2px solid #d82030; }`;

/**
 * One page: what changed since the run before, most first; then a part for each view, a row for each of its states, a picture
 * for each size and theme. Each opens in full.
 */
export function writeGalleryPage(states, pictures) {
  const labels = new Map(states.map(({ id, label }) => [id, label]));
  const views = groupBy(pictures, ({ view }) => view);
  const links = ['changes', ...views.keys()].map((view) => `<a href="#${view}">${escapeHtml(view)}</a>`);
  const parts = [...views].map(([view, ofView]) => {
    const rows = [...groupBy(ofView, ({ part, state }) => `${part} ${state}`).values()];
    return `<section id="${view}"><h2>${escapeHtml(view)}</h2>${rows.map((row) => writeRow(row, labels)).join('')}</section>`;
  });
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Countersign: every view</title><style>${style}</style>
<h1>Every view of Countersign</h1><nav>${links.join('')}</nav>${writeChanges(pictures)}${parts.join('\n')}</html>
`;
}

function groupBy(items, keyOf) {
  const groups = new Map();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}

const writeImage = (file, caption, name = '') =>
  `<figure><a href="${file}"><img loading="lazy" class="${name}" src="${file}" alt="${escapeHtml(file)}"></a>` +
  `<figcaption>${escapeHtml(caption)}</figcaption></figure>`;

function writeChanges(pictures) {
  const changed = pictures
    .filter(({ change }) => change.kind === 'changed')
    .toSorted((a, b) => b.change.share - a.change.share);
  const count = (kind) => pictures.filter(({ change }) => change.kind === kind).length;
  const rows = changed.map(({ file, change }) => {
    const said = `${file}: ${(100 * change.share).toFixed(change.share < 0.001 ? 3 : 1)} % of its dots`;
    const row = [
      writeImage(change.before, 'before'),
      writeImage(file, 'now'),
      writeImage(change.difference, 'difference'),
    ];
    return `<h3>${escapeHtml(said)}</h3><div class="row" style="--columns: 3">${row.join('')}</div>`;
  });
  return `<section id="changes"><h2>Changes since the last run</h2><p>${changed.length} changed, ${count('same')} the same,
${count('new')} new. Times, ports and ids made by chance are left out.</p>${rows.join('')}</section>`;
}

function writeRow(row, labels) {
  const [{ part, state }] = row;
  const title = [part, labels.get(state)].filter(Boolean).join(' · ');
  const faults = row.flatMap(({ look, faults: found }) => found.map((fault) => `${look}: ${fault}`));
  const said = faults.map((fault) => `<p class="fault">${escapeHtml(fault)}</p>`).join('');
  const figures = row.map(({ file, look, change }) =>
    writeImage(file, look.replace('-', ', '), change.kind === 'changed' ? 'changed' : ''),
  );
  return `<h3>${escapeHtml(title)}</h3>${said}<div class="row" style="--columns: ${looks.length}">${figures.join('')}</div>`;
}
