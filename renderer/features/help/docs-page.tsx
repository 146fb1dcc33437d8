import { routeHref } from '../../session/routes';
import shared from '../../ui/side-list.module.css';
import { docsTexts } from './docs-texts';
import styles from './help.module.css';
import { MarkdownPage } from './markdown-page';

/** The documentation of this very version, inside the app: nothing is fetched for it. */
export function DocsPage({ page }: { page: string }) {
  const shown = docsTexts.find(({ name }) => name === page) ?? docsTexts[0];
  return (
    <div className={styles.docs}>
      <nav aria-label="Pages" className={styles.pages}>
        {docsTexts.map(({ name, title }) => (
          <a
            key={name}
            className={shared.part}
            href={hrefOfPage(name)}
            aria-current={name === shown?.name ? 'page' : undefined}
            children={title}
          />
        ))}
      </nav>
      <div key={shown?.name} className={styles.scroll} tabIndex={0} role="group" aria-label="Page">
        {shown ? <MarkdownPage text={shown.text} hrefOf={findPage} /> : null}
      </div>
    </div>
  );
}

const hrefOfPage = (name: string): string => routeHref('help', `docs/${name}`);

/** `[answers](answers.md)` leads to that page. */
function findPage(href: string): string | null {
  const name = /^(?:\.\/|\/)?([\w-]+)(?:\.md)?(?:#.*)?$/.exec(href)?.[1];
  return name !== undefined && docsTexts.some((one) => one.name === name) ? hrefOfPage(name) : null;
}
