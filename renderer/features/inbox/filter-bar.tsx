import { readTextList } from '@shared/json/is-record';
import { filterFields } from '@shared/webhooks/filter/filter-fields';
import { Bookmark } from 'lucide-react';
import { useState } from 'react';
import { IconButton } from '../../ui/button';
import { Menu } from '../../ui/menu';
import { readRemembered, remember } from '../../ui/remembered';
import { TextField } from '../../ui/text-field';
import { useInboxStore } from './inbox-store';
import styles from './inbox.module.css';

const MEMORY = 'inbox.savedFilters';
const MOST_SAVED = 30;
const help = `Fields: ${Object.keys(filterFields).join(', ')}, body.a.b, header.x-name`;

/** The expression that narrows the list, and those that were saved. */
export function FilterBar() {
  const expression = useInboxStore((state) => state.expression);
  const fault = useInboxStore((state) => state.expressionFault);
  const setExpression = useInboxStore((state) => state.setExpression);
  const [saved, setSaved] = useState(readSaved);
  const keep = (next: string[]): void => {
    setSaved(next);
    remember(MEMORY, next);
  };
  return (
    <div className={styles.filter} title={help}>
      <TextField
        label="Filter"
        isLabelHidden
        isCode
        className={styles.search}
        placeholder="status == FAILED and body.amount >= 2000"
        value={expression}
        onChange={setExpression}
        fault={fault}
      />
      <Menu
        label="Saved filters"
        trigger={
          <IconButton label="Saved filters">
            <Bookmark size={14} />
          </IconButton>
        }
        actions={[
          {
            id: 'save',
            label: 'Save this filter',
            obstacle:
              expression === ''
                ? 'None is written'
                : fault !== null
                  ? 'It cannot be read'
                  : saved.includes(expression) && 'It is saved',
            onAction: () => keep([expression, ...saved].slice(0, MOST_SAVED)),
          },
          {
            id: 'forget',
            label: 'Forget this filter',
            obstacle: !saved.includes(expression) && 'None that is saved is written',
            onAction: () => keep(saved.filter((one) => one !== expression)),
          },
          ...saved.map((one, at) => ({
            id: `saved-${at}`,
            label: one,
            hasLineAbove: at === 0,
            onAction: () => setExpression(one),
          })),
        ]}
      />
    </div>
  );
}

function readSaved(): string[] {
  return readTextList(readRemembered(MEMORY)).slice(0, MOST_SAVED);
}
