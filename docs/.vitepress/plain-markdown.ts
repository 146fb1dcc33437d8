import { posix } from 'node:path';
import type { MarkdownRenderer } from 'vitepress';

/** Reads the docs as any other reader of Markdown does: `{{name}}` is text, and a link to a file that is no page its path. */
export function readAsPlainMarkdown(markdown: MarkdownRenderer): void {
  keepBraces(markdown);
  keepPathsOfTheRepository(markdown);
}

function keepBraces({ renderer }: MarkdownRenderer): void {
  for (const name of ['code_inline', 'code_block', 'text'] as const) {
    const render = renderer.rules[name]!;
    renderer.rules[name] = (...input) => render(...input).replaceAll('{{', '&#123;&#123;');
  }
}

/** In the repository such a link leads to the file; the site does not carry it. */
function keepPathsOfTheRepository({ core }: MarkdownRenderer): void {
  core.ruler.push('paths-of-the-repository', ({ tokens, env }) => {
    const folder = posix.dirname(posix.join('docs', (env as { relativePath: string }).relativePath));
    for (const { children } of tokens) {
      let isOut = false;
      for (const token of children ?? []) {
        if (token.type === 'link_open') {
          const target = token.attrGet('href') ?? '';
          const path = posix.join(folder, target.replace(/#.*$/, ''));
          isOut = !/^(?:[a-z]+:|#)/.test(target) && !path.startsWith('docs/');
          if (isOut) Object.assign(token, { tag: 'span', attrs: [['title', path]] });
        } else if (token.type === 'link_close' && isOut) {
          token.tag = 'span';
          isOut = false;
        }
      }
    }
  });
}
