import { useMemo } from 'react';
import { CopyText } from '../../ui/copy-text';
import { cutText, parseMarkdown, type PageBlock } from './parse-markdown';
import styles from './help.module.css';
import { anchorOf } from './search-docs';

/** A page of the documentation. `hrefOf`: where a link of it leads inside the app; null: nowhere, it can be copied. */
export function MarkdownPage({ text, hrefOf }: { text: string; hrefOf: (href: string) => string | null }) {
  const blocks = useMemo(() => parseMarkdown(text), [text]);
  return (
    <article className={styles.page}>
      {blocks.map((block, index) => (
        <Block key={index} block={block} hrefOf={hrefOf} />
      ))}
    </article>
  );
}

type HrefOf = (href: string) => string | null;

function Block({ block, hrefOf }: { block: PageBlock; hrefOf: HrefOf }) {
  const line = (text: string) => <Line text={text} hrefOf={hrefOf} />;
  switch (block.kind) {
    case 'heading': {
      // The page's name stands over it as the view's own heading does.
      const Heading = block.level === 1 ? 'h2' : 'h3';
      return <Heading data-anchor={anchorOf(block.text)}>{line(block.text)}</Heading>;
    }
    case 'code':
      return (
        <pre tabIndex={0} role="group" aria-label="Code">
          {block.text}
        </pre>
      );
    case 'list': {
      const List = block.isNumbered ? 'ol' : 'ul';
      return (
        <List>
          {block.items.map((item, index) => (
            <li key={index}>{line(item)}</li>
          ))}
        </List>
      );
    }
    case 'table':
      return (
        <div className={styles.tableBox} tabIndex={0} role="group" aria-label="Table">
          <table>
            <thead>
              <tr>
                {block.head.map((cell, index) =>
                  // A heading has to say something: the corner of some tables says nothing.
                  cell === '' ? (
                    <td key={index} />
                  ) : (
                    <th key={index} scope="col">
                      {line(cell)}
                    </th>
                  ),
                )}
              </tr>
            </thead>
            <tbody>
              {block.rows.map((row, index) => (
                <tr key={index}>
                  {row.map((cell, column) => (
                    <td key={column}>{line(cell)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      );
    case 'text':
      return <p>{line(block.text)}</p>;
  }
}

function Line({ text, hrefOf }: { text: string; hrefOf: HrefOf }) {
  return cutText(text).map((piece, index) => {
    if (piece.kind === 'code') return <code key={index}>{piece.text}</code>;
    if (piece.kind === 'strong') return <b key={index}>{piece.text}</b>;
    if (piece.kind === 'slanted') return <em key={index}>{piece.text}</em>;
    if (piece.kind === 'plain') return piece.text;
    const { href = '' } = piece;
    const inside = hrefOf(href);
    if (inside !== null) return <a key={index} href={inside} children={piece.text} />;
    return /^https?:/.test(href) ? (
      <CopyText key={index} text={href} label="address" isCode={false}>
        {piece.text}
      </CopyText>
    ) : (
      piece.text
    );
  });
}
