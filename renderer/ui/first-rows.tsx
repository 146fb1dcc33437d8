import { useState, type ReactNode } from 'react';
import { TextButton } from './button';

const pageRows = 100;

/** Draws rows a page at a time: a hostile answer has thousands of headers, and nobody reads them at once. */
export function FirstRows<T>({
  items,
  children,
  more,
}: {
  items: readonly T[];
  children: (item: T, index: number) => ReactNode;
  /** Puts the way to the next rows where the rows stand. */
  more: (way: ReactNode) => ReactNode;
}) {
  const [shown, setShown] = useState(pageRows);
  const left = items.length - shown;
  return (
    <>
      {items.slice(0, shown).map(children)}
      {left > 0
        ? more(
            <TextButton onPress={() => setShown(shown + pageRows)}>
              {`Show ${Math.min(left, pageRows)} of ${left.toLocaleString('en')} more`}
            </TextButton>,
          )
        : null}
    </>
  );
}
