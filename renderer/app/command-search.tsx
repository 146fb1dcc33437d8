import { useEffect, useMemo, useState } from 'react';
import { Autocomplete } from 'react-aria-components/Autocomplete';
import { Input } from 'react-aria-components/Input';
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox';
import { SearchField } from 'react-aria-components/SearchField';
import { Text } from 'react-aria-components/Text';
import { showControls } from '@shared/show-controls';
import { useShownKeys } from '../panels/shown-keys';
import { beginCommandLater, useCommandRegistry } from '../session/commands';
import { useFirstOnEnter } from '../ui/first-on-enter';
import { cutDrawn } from '../ui/foreign-text';
import { refuseAtField } from '../ui/refuse-long-paste';
import styles from './command-palette.module.css';
import { addWords, cutMatches, listFoundWords, searchCommands, type FoundCommand } from './find-commands';
import { findPayments, isRequestPlace, loadPlaces, usePlaces } from './places';
import type { PaletteContent } from './shell-commands';

/** The field, and what it finds. */
export function CommandSearch({ content, onDone }: { content: PaletteContent; onDone: () => void }) {
  const [query, setQuery] = useState('');
  // What there is may change while it is open: an environment is added, the sandbox starts.
  const sources = useCommandRegistry((state) => state.sources);
  const commands = useMemo(
    () =>
      [...sources.values()]
        .flat()
        .filter(({ id, isDisabled }) => !isDisabled && id !== 'palette')
        .map(addWords),
    [sources],
  );
  const places = usePlaces((state) => state.places);
  const isReading = usePlaces((state) => state.isReading);
  useEffect(() => void loadPlaces(), []);
  useEffect(() => (content === 'all' ? findPayments(query) : undefined), [content, query]);
  const search = useMemo(
    () => searchCommands(content === 'requests' ? places.filter(isRequestPlace) : [...commands, ...places]),
    [content, commands, places],
  );
  const found = useMemo(() => search(query), [search, query]);
  const take = (one: FoundCommand | undefined): void => {
    onDone();
    if (one) beginCommandLater(one.command);
  };
  const first = query === '' ? undefined : found[0];
  const { list, onKeyDownCapture, mark } = useFirstOnEnter(first ? () => take(first) : null);
  return (
    <Autocomplete inputValue={query} onInputChange={setQuery}>
      <SearchField
        aria-label="Search commands"
        autoFocus
        className={styles.search}
        // One Escape closes the palette; a search field would clear its text first.
        onKeyDown={({ key }) => {
          if (key === 'Escape') onDone();
        }}
      >
        <Input
          role="combobox"
          aria-expanded="true"
          className={styles.input}
          placeholder={placeholders[content]}
          onKeyDownCapture={onKeyDownCapture}
          onPaste={refuseAtField}
        />
      </SearchField>
      <ListBox
        ref={list}
        {...mark}
        aria-label="Commands"
        className={styles.list}
        items={found}
        onAction={(id) => take(found.find((one) => one.id === id))}
        renderEmptyState={() => (
          <p className={styles.none}>
            {isReading ? 'Requests, payments and keys are still being read.' : 'Nothing is called that.'}
          </p>
        )}
      >
        {(one) => <CommandItem found={one} />}
      </ListBox>
    </Autocomplete>
  );
}

const placeholders: Readonly<Record<PaletteContent, string>> = {
  all: 'Type a command, a view, a request, a payment or a key',
  requests: 'Type the name of a request of any open collection',
};

function CommandItem({ found }: { found: FoundCommand }) {
  const { id, command, matched } = found;
  const { title, group } = command;
  const keys = useShownKeys(id);
  return (
    <ListBoxItem id={id} textValue={title} className={styles.row}>
      <Text slot="description" className={styles.group}>
        <Matches text={group} matched={matched} offset={title.length + 1} />
      </Text>
      <Text slot="label" className={styles.title}>
        <Matches text={title} matched={matched} />
        {listFoundWords(found).map(({ text, offset }) => (
          <span key={offset} className={styles.words}>
            {' '}
            <Matches text={text} matched={matched} offset={offset} />
          </span>
        ))}
      </Text>
      {keys ? <kbd className={styles.keys}>{keys}</kbd> : null}
    </ListBoxItem>
  );
}

function Matches({ text, matched, offset }: { text: string; matched: ReadonlySet<number>; offset?: number }) {
  return cutMatches(cutDrawn(text), matched, offset).map((piece, index) =>
    // eslint-disable-next-line no-restricted-syntax -- a piece of what was cut
    piece.isMatched ? <mark key={index}>{showControls(piece.text)}</mark> : showControls(piece.text),
  );
}
