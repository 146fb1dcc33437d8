type Field = HTMLInputElement | HTMLTextAreaElement;

export interface TypedFields {
  /** Watches a form. @returns ends it */
  watch(form: HTMLElement | null): () => void;
  /** Whether one of them holds something else than it did before. */
  isChanged(): boolean;
}

export function watchTypedFields(): TypedFields {
  const before = new Map<Field, string>();
  const note = ({ target }: Event): void => {
    if (isTextField(target) && !before.has(target)) before.set(target, target.value);
  };
  return {
    watch: (form) => {
      form?.addEventListener('beforeinput', note);
      return () => form?.removeEventListener('beforeinput', note);
    },
    // What was typed into a field that is not shown any more was typed, too: its element keeps it.
    isChanged: () => [...before].some(([field, value]) => field.value !== value),
  };
}

const isTextField = (target: EventTarget | null): target is Field =>
  target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
