import { defineConfig } from 'vitepress';
// @ts-expect-error -- a script without types
import { sitePolicy } from '../../scripts/check-docs-site.mjs';
import { groups } from './pages';
import { readAsPlainMarkdown } from './plain-markdown';

/** The docs as a site: the same Markdown that a repository's page shows, searched without a server. */
export default defineConfig({
  title: 'Countersign',
  description: 'Sign, send, receive and look up: a companion and a sandbox for one payments service.',
  head: [['meta', { 'http-equiv': 'Content-Security-Policy', content: sitePolicy as string }]],
  // A site that is not served from the root of its host says so.
  base: process.env['DOCS_BASE'] ?? '/',
  // Braces are what request files hold: neither attributes of Markdown nor Vue's.
  markdown: { attrs: { disable: true }, config: readAsPlainMarkdown },
  themeConfig: {
    search: { provider: 'local' },
    sidebar: groups.map(({ text, items }) => ({ text, items: [...items] })),
    outline: [2, 3],
  },
});
