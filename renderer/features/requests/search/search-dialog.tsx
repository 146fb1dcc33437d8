import type { MethodOutput } from '@shared/contract/contract';
import { showControls } from '@shared/show-controls';
import { useEffect, useState } from 'react';
import { Autocomplete } from 'react-aria-components/Autocomplete';
import { Input } from 'react-aria-components/Input';
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox';
import { SearchField } from 'react-aria-components/SearchField';
import { call } from '../../../transport/client';
import { toClientError, type ClientError } from '../../../transport/client-error';
import { Dialog } from '../../../ui/dialog';
import { ErrorLine } from '../../../ui/error-line';
import { ForeignText } from '../../../ui/foreign-text';
import { useFirstOnEnter } from '../../../ui/first-on-enter';
import { refuseAtField } from '../../../ui/refuse-long-paste';
import { useSelectAtFirst } from '../../../ui/select-at-first';
import styles from './search-dialog.module.css';
import { closeSearch, useSearch } from './search-state';
import { showHit, type Hit } from './show-hit';

type Found = MethodOutput<'collections.search'>;

/** Ctrl/Cmd+Shift+F: what names, addresses, headers and bodies of all open collections hold. */
export function SearchDialog() {
  const isOpen = useSearch((state) => state.isOpen);
  return (
    <Dialog title="Find text in requests" isOpen={isOpen} onClose={closeSearch} width="palette">
      <Search />
    </Dialog>
  );
}

function Search() {
  const text = useSearch((state) => state.text);
  const { found, error, isSearching } = useFound(text);
  const items = (found?.hits ?? []).map((hit, index) => ({ id: String(index), hit }));
  const take = (hit: Hit | undefined): void => {
    closeSearch();
    if (hit) void showHit(hit);
  };
  const first = isSearching ? undefined : items[0];
  const { list, onKeyDownCapture, mark } = useFirstOnEnter(first ? () => take(first.hit) : null);
  const selectAtFirst = useSelectAtFirst();
  return (
    <Autocomplete
      inputValue={text}
      onInputChange={(next) => useSearch.setState({ text: next })}
      disableAutoFocusFirst
    >
      <SearchField
        aria-label="Text to find"
        autoFocus
        // One Escape closes the dialog; a search field would clear its text first.
        onKeyDown={({ key }) => {
          if (key === 'Escape') closeSearch();
        }}
      >
        <Input
          className={styles.input}
          placeholder="Text in a name, an address, a header or a body"
          onKeyDownCapture={onKeyDownCapture}
          onPaste={refuseAtField}
          // What was looked for last is there to go on with, or to be typed over.
          onFocus={selectAtFirst}
        />
      </SearchField>
      {error ? <ErrorLine error={error} /> : null}
      <div className={styles.list} tabIndex={0} role="group" aria-label="Found requests">
        <ListBox
          ref={list}
          {...mark}
          aria-label="Found"
          className={styles.rows}
          items={items}
          onAction={(id) => take(items[Number(id)]?.hit)}
          renderEmptyState={() => <p className={styles.none}>{describeNothing(text, isSearching)}</p>}
        >
          {({ id, hit }) => (
            <ListBoxItem
              id={id}
              textValue={`${hit.name}, ${hit.place}: ${hit.excerpt}`}
              className={styles.row}
            >
              <HitRow hit={hit} />
            </ListBoxItem>
          )}
        </ListBox>
      </div>
      <p className={styles.sum} role="status">
        {found === null || items.length === 0 ? '' : describeFound(found)}
      </p>
    </Autocomplete>
  );
}

function HitRow({ hit: { name, path, place, line, excerpt, start, length } }: { hit: Hit }) {
  const where = place === 'name' ? path : `${path} · ${place === 'url' ? 'address' : place}, line ${line}`;
  return (
    <>
      <span className={styles.head}>
        <span className={styles.name}>
          <ForeignText text={name} />
        </span>
        <span className={styles.place}>
          <ForeignText text={where} />
        </span>
      </span>
      <code className={styles.excerpt}>
        {showControls(excerpt.slice(0, start))}
        <mark>{showControls(excerpt.slice(start, start + length))}</mark>
        {showControls(excerpt.slice(start + length))}
      </code>
    </>
  );
}

function describeNothing(text: string, isSearching: boolean): string {
  if (text.trim() === '') return 'Type what to look for.';
  return isSearching ? 'Searching…' : 'No request holds that.';
}

function describeFound({ hits, searched, isCut }: Found): string {
  const files = new Set(hits.map(({ collectionId, path }) => `${collectionId}/${path}`)).size;
  const sum = `${hits.length.toLocaleString('en')} in ${files.toLocaleString('en')} of ${searched.toLocaleString('en')} requests`;
  return isCut ? `${sum}; there may be more: type on.` : sum;
}

const searchId = 'window';
const pauseMs = 120;

/** What is found for a text. A search goes on until the text changes or the dialog closes. */
function useFound(text: string): { found: Found | null; error: ClientError | null; isSearching: boolean } {
  const [state, setState] = useState<{ for: string; found: Found | null; error: ClientError | null }>({
    for: '',
    found: null,
    error: null,
  });
  const wanted = text.trim();
  useEffect(() => {
    if (wanted === '') return undefined;
    let isLatest = true;
    const timer = setTimeout(() => {
      call('collections.search', { searchId, text: wanted }).then(
        (found) => isLatest && setState({ for: wanted, found, error: null }),
        (caught: unknown) => isLatest && setState({ for: wanted, found: null, error: toClientError(caught) }),
      );
    }, pauseMs);
    return () => {
      isLatest = false;
      clearTimeout(timer);
      // Whether it ended meanwhile makes no difference.
      call('collections.cancelSearch', { searchId }).catch(() => undefined);
    };
  }, [wanted]);
  if (wanted === '') return { found: null, error: null, isSearching: false };
  return { found: state.found, error: state.error, isSearching: state.for !== wanted };
}
