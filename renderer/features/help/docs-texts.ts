/** The documentation as it is written, built in: `docs/<name>.md` by its name. */
const files = import.meta.glob<string>('../../../docs/*.md', {
  query: '?raw',
  import: 'default',
  eager: true,
});

/** What comes first; the others follow by name. */
const first = ['index', 'start', 'http-files', 'sandbox', 'backend', 'webhooks'];
const rankOf = (name: string): number => (first.includes(name) ? first.indexOf(name) : first.length);

interface DocsText {
  name: string;
  title: string;
  text: string;
}

export const docsTexts: readonly DocsText[] = Object.entries(files)
  .map(([path, text]) => {
    const name = /(?<![^/])([^/]+)\.md$/.exec(path)?.[1] ?? path;
    return { name, title: (/^# (.+)$/m.exec(text)?.[1] ?? name).replaceAll('`', ''), text };
  })
  .sort((a, b) => rankOf(a.name) - rankOf(b.name) || a.title.localeCompare(b.title));
