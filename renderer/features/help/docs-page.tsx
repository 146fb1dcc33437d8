import { useCallback, useEffect, useMemo, useRef, useState, type MouseEvent } from 'react';
import { routeHref } from '../../session/routes';
import shared from '../../ui/side-list.module.css';
import { ViewSearch } from '../../ui/text-field';
import { docsTexts } from './docs-texts';
import styles from './help.module.css';
import { MarkdownPage } from './markdown-page';
import { listSections, searchSections, type DocsHit } from './search-docs';
import { countOf } from '@shared/count-of';

/** The documentation of this very version, inside the app: nothing is fetched for it. `anchor`: the heading to begin at. */
export function DocsPage({ page, anchor }: { page: string; anchor: string }) {
  const shown = docsTexts.find(({ name }) => name === page) ?? docsTexts[0];
  const scroll = useRef<HTMLDivElement>(null);
  const goToHeading = useCallback(() => {
    const heading = anchor && scroll.current?.querySelector(`[data-anchor="${CSS.escape(anchor)}"]`);
    if (heading) heading.scrollIntoView({ block: 'start' });
    else scroll.current?.scrollTo({ top: 0 });
  }, [anchor]);
  useEffect(goToHeading, [page, goToHeading]);
  // A browser tells of no address twice: of a link to the place that the address names already, nobody else hears.
  const goAgain = ({ target }: MouseEvent<HTMLElement>): void => {
    if ((target as Element).closest('a')?.hash === location.hash) goToHeading();
  };
  return (
    <div className={styles.docs} onClick={goAgain} role="presentation">
      <PageList shown={shown?.name} anchor={anchor} />
      <div
        key={shown?.name}
        ref={scroll}
        className={styles.scroll}
        tabIndex={0}
        role="group"
        aria-label="Page"
      >
        {shown ? <MarkdownPage text={shown.text} hrefOf={(href) => findPage(href, shown.name)} /> : null}
      </div>
    </div>
  );
}

/** All pages or, once something is asked for, the places that have it. */
function PageList({ shown, anchor }: { shown: string | undefined; anchor: string }) {
  const [question, setQuestion] = useState('');
  const sections = useMemo(() => listSections(docsTexts), []);
  const hits = useMemo(() => searchSections(sections, question), [sections, question]);
  const isAsked = question.trim() !== '';
  return (
    <div className={styles.pages}>
      <div className={styles.ask}>
        <ViewSearch
          label="Search the documentation"
          placeholder="Search the documentation"
          value={question}
          onChange={setQuestion}
        />
      </div>
      <nav aria-label={isAsked ? 'Found' : 'Pages'} className={styles.list}>
        {isAsked
          ? hits.map((hit) => (
              <FoundPlace
                key={`${hit.section.page}#${hit.section.anchor}`}
                hit={hit}
                isShown={hit.section.page === shown && hit.section.anchor === anchor}
              />
            ))
          : docsTexts.map(({ name, title }) => (
              <a
                key={name}
                className={shared.part}
                href={hrefOfPage(name)}
                aria-current={name === shown ? 'page' : undefined}
                children={title}
              />
            ))}
      </nav>
      <p role="status" className={styles.count}>
        {isAsked ? tellCount(hits.length) : ''}
      </p>
    </div>
  );
}

function tellCount(count: number): string {
  if (count === 0) return 'Nothing in the documentation has all of these words.';
  return countOf(count, 'place');
}

function FoundPlace({ hit: { section, excerpt }, isShown }: { hit: DocsHit; isShown: boolean }) {
  const [before, word, after] = excerpt;
  return (
    <a
      className={shared.part}
      href={hrefOfPage(section.page, section.anchor)}
      aria-current={isShown ? 'page' : undefined}
    >
      <span className={styles.found}>{section.heading}</span>
      {section.anchor ? <span className={shared.rowLine}>{section.pageTitle}</span> : null}
      <span className={styles.excerpt}>
        {before}
        <mark>{word}</mark>
        {after}
      </span>
    </a>
  );
}

const hrefOfPage = (name: string, anchor = ''): string =>
  routeHref('help', `docs/${name}${anchor && `/${anchor}`}`);

/** `[answers](answers.md#in-words)` leads to that place of that page. */
function findPage(href: string, current: string): string | null {
  const [, name = current, anchor = ''] = /^(?:\.\/|\/)?([\w-]+)?(?:\.md)?(?:#(.*))?$/.exec(href) ?? [];
  return href !== '' && !href.includes(':') && docsTexts.some((one) => one.name === name)
    ? hrefOfPage(name, anchor)
    : null;
}
