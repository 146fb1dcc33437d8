import changelog from '../../../CHANGELOG.md?raw';
import { useAppStatus } from '../../session/app-status';
import { routeHref } from '../../session/routes';
import styles from './help.module.css';
import { MarkdownPage } from './markdown-page';

/** What each version brought, as the changelog has it. */
export function News() {
  const version = useAppStatus((state) => state.status?.version);
  return (
    <div className={styles.scroll} tabIndex={0} role="group" aria-label="What is new">
      <MarkdownPage
        text={changelog.replace(
          /^# .*$/m,
          () => `# What is new${version ? ` · this is version ${version}` : ''}`,
        )}
        hrefOf={findPage}
      />
    </div>
  );
}

function findPage(href: string): string | null {
  const name = /^docs\/([\w-]+)\.md/.exec(href)?.[1];
  return name === undefined ? null : routeHref('help', `docs/${name}`);
}
