import type { SignedFieldName } from '@shared/contract/common';
import { showControls } from '@shared/show-controls';
import { cx } from './cx';
import { cutDrawn, ForeignText } from './foreign-text';
import styles from './string-to-sign-spans.module.css';

/** What a span needs to be drawn; `SignedSpan` of the contract fits. */
export interface ShownSpan {
  field: SignedFieldName;
  start: number;
  end: number;
}

export const signedFieldLabels: Record<SignedFieldName, string> = {
  reference: 'transaction.reference',
  amount: 'transaction.amount',
  country: 'originator.country',
  service_code: 'transaction.service_code',
};

/** Class of a field: its hue and its underline pattern (solid, dashed, dotted, double). For marks elsewhere. */
export function signedFieldClass(field: SignedFieldName): string {
  return cx(styles.span, styles[field]);
}

/** The string to sign in its four spans. With `onPick` each span is a button that leads to its field. */
export function StringToSignSpans({
  text,
  spans,
  lit = null,
  onHover,
  onPick,
  isWrapped,
  className,
}: {
  text: string;
  spans: readonly ShownSpan[];
  /** The field that is hovered somewhere, here or in the body. */
  lit?: SignedFieldName | null;
  onHover?: (field: SignedFieldName | null) => void;
  onPick?: (field: SignedFieldName) => void;
  isWrapped?: boolean;
  className?: string;
}) {
  return (
    <code
      className={cx(styles.text, isWrapped && styles.wrapped, className)}
      data-string-to-sign={text}
      dir="ltr"
      // One line that scrolls has to be within reach of the arrow keys.
      tabIndex={isWrapped || onPick ? undefined : 0}
    >
      {spans.map((span) => {
        const shared = {
          className: cx(signedFieldClass(span.field), lit === span.field && styles.lit),
          title: signedFieldLabels[span.field],
          onMouseEnter: () => onHover?.(span.field),
          onMouseLeave: () => onHover?.(null),
          'data-field': span.field,
        };
        const value = showInvisible(text.slice(span.start, span.end));
        // Colour and pattern say it to the eye alone.
        const name = `${signedFieldLabels[span.field]}: ${showControls(cutDrawn(value))}`;
        if (!onPick) {
          return <ForeignText key={span.field} {...shared} role="img" aria-label={name} text={value} />;
        }
        return (
          <button
            key={span.field}
            type="button"
            {...shared}
            aria-label={name}
            onFocus={() => onHover?.(span.field)}
            onBlur={() => onHover?.(null)}
            onClick={() => onPick(span.field)}
          >
            <ForeignText text={value} />
          </button>
        );
      })}
    </code>
  );
}

/** Draws what cannot be seen: spaces at an edge, tabs, line ends, control characters. */
export function showInvisible(value: string): string {
  const edged = value.replace(/^ +|(?<! ) +$/g, (spaces) => '␣'.repeat(spaces.length));
  // eslint-disable-next-line no-control-regex -- control characters are what is looked for
  return edged.replace(/[\u0000-\u001f]/g, (character) =>
    String.fromCharCode(0x2400 + character.charCodeAt(0)),
  );
}
