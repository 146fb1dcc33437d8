import type { SignedFieldName } from '@shared/contract/common';
import type { Completion } from '@shared/body/complete-variable';
import type { ShownSpan } from '../string-to-sign-spans';

/** Something wrong or doubtful in the text; shown as a squiggle with its message. */
export interface EditorProblem {
  start: number;
  end: number;
  message: string;
  severity: 'error' | 'warning';
}

/** What is known of the text that is being edited. */
export interface EditorAssist {
  /** What may stand at an offset; asked for as one types, and by Ctrl+Space. */
  complete: (text: string, offset: number) => Promise<readonly Completion[]>;
  /** What stands at an offset, in lines; null: nothing is known of it. */
  describe: (
    text: string,
    offset: number,
  ) => Promise<{ start: number; end: number; lines: readonly string[] } | null>;
  /** What would end a problem at an offset; asked for by Ctrl+. */
  fix: (offset: number) => readonly Completion[];
}

/** What others may do with an editor on the screen. */
export interface CodeEditorHandle {
  /** Brings a range into view, selects it and takes the focus. */
  reveal: (start: number, end: number) => void;
  focus: () => void;
}

export interface CodeEditorProps {
  /** Text as it is, any line ends; what the user does not touch stays byte for byte. */
  value: string;
  onChange?: (value: string) => void;
  /** Accessible name; also the key in `window.__countersignEditors`, which end-to-end tests use. */
  label: string;
  /** Undo history and scroll position are kept for each; call `forgetDocument` when it is closed. */
  documentKey: string;
  language?: 'json' | 'plaintext';
  isReadOnly?: boolean;
  /** Tab goes on to what follows, as in a form; left out: it indents. */
  doesTabLeave?: boolean;
  /** The four signed fields; offsets in UTF-16 units of `value`, as all of them here. */
  marks?: readonly ShownSpan[];
  problems?: readonly EditorProblem[];
  assist?: EditorAssist;
  /** The field that is hovered somewhere. */
  lit?: SignedFieldName | null;
  onHoverField?: (field: SignedFieldName | null) => void;
  /** Gets the handle when the editor stands, null when it goes. */
  onReady?: (handle: CodeEditorHandle | null) => void;
}

/** What end-to-end tests may do: the editor's text does not stand in the document line by line. */
export interface EditorTestHandle {
  getValue: () => string;
  /** As if typed: undo takes it back. */
  setValue: (value: string) => void;
}

declare global {
  interface Window {
    __countersignEditors?: Record<string, EditorTestHandle>;
  }
}
