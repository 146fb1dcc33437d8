import { useEffect, useRef, useState } from 'react';
import { createLatest } from '../../session/create-latest';
import { afterReconnect, call, subscribe } from '../../transport/client';

/** The rules in the editor, beside those of the file that they came from. */
export interface RulesText {
  /** Null: not read yet. */
  text: string | null;
  /** What the file holds now, where it was changed under an editor that was, too. */
  changed: string | null;
  error: unknown;
  edit(text: string): void;
  takeChanged(): void;
}

/** Reads the rules, and follows their file: what was not edited changes with it, what was is asked for. */
export function useRulesText(): RulesText {
  const [text, setText] = useState<string | null>(null);
  const [changed, setChanged] = useState<string | null>(null);
  const [error, setError] = useState<unknown>(null);
  /** As the file was when it was last taken; `typed`: as the editor has it. */
  const latest = useRef<{ base: string | null; typed: string | null }>({ base: null, typed: null });
  useEffect(() => {
    const take = (next: string): void => {
      const { base, typed } = latest.current;
      if (next === base) return;
      const isEdited = typed !== null && typed !== base && typed !== next;
      if (isEdited) {
        setChanged(next);
        return;
      }
      latest.current = { base: next, typed: next };
      setText(next);
      setChanged(null);
    };
    const begin = createLatest();
    const read = (): void => {
      const isLast = begin();
      call('listener.rules', {}).then(
        (kept) => {
          if (!isLast()) return;
          take(kept.text);
          setError(null);
        },
        (failure: unknown) => isLast() && setError(failure),
      );
    };
    read();
    const stops = [
      subscribe('listener.changed', ({ id }) => {
        if (id === 'main') read();
      }),
      afterReconnect(read),
    ];
    return () => stops.forEach((stop) => stop());
  }, []);
  return {
    text,
    changed,
    error,
    edit: (typed) => {
      latest.current.typed = typed;
      setText(typed);
    },
    takeChanged: () => {
      latest.current = { base: changed, typed: changed };
      setText(changed);
      setChanged(null);
    },
  };
}
