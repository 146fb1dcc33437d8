import type { Completion } from '@shared/body/complete-variable';
import { fitOffer } from './fit-offer';
import styles from './offer-list.module.css';

/** Rows that PageUp and PageDown pass over. */
const PAGE = 8;
let count = 0;

/**
 * A list of offers under a text field, which keeps the focus: arrows choose, Enter and Tab take, Escape closes.
 *
 * Plain elements: it stands in the editor, which is none of React's, and under inputs alike.
 */
export class OfferList {
  readonly element = document.createElement('ul');
  private offers: readonly Completion[] = [];
  private chosen = 0;
  /** The text that the offers are for: it may have gone on since. */
  private text = '';
  private readonly id = `offers-${++count}`;

  /**
   * @param input - what has the focus; told the chosen row for those who do not see it
   * @param read - the text as it is now
   */
  constructor(
    private readonly input: () => HTMLElement | null,
    private readonly read: () => string,
    private readonly take: (offer: Completion) => void,
  ) {
    this.element.className = styles.offers!;
    this.element.id = this.id;
    this.element.role = 'listbox';
    this.element.ariaLabel = 'Offers';
    // The field must not lose the focus to a click here.
    this.element.addEventListener('mousedown', (event) => {
      event.preventDefault();
      const row = (event.target as HTMLElement).closest('li');
      const offer = row && this.offers[[...this.element.children].indexOf(row)];
      if (offer) this.takeAsItStands(offer);
    });
  }

  get isOpen(): boolean {
    return this.offers.length > 0;
  }

  show(offers: readonly Completion[]): void {
    this.offers = offers;
    this.chosen = 0;
    this.text = offers.length === 0 ? '' : this.read();
    this.element.replaceChildren(...offers.map((offer, index) => this.draw(offer, index)));
    const input = this.input();
    if (offers.length === 0) {
      for (const name of ['aria-activedescendant', 'aria-controls']) input?.removeAttribute(name);
      return;
    }
    input?.setAttribute('aria-autocomplete', 'list');
    input?.setAttribute('aria-controls', this.id);
    this.choose(0);
  }

  close(): void {
    if (this.isOpen) this.show([]);
  }

  /** Takes a key where it is one of the list's; true: nobody else is to have it. */
  press(key: string, hasModifier: boolean): boolean {
    if (!this.isOpen || hasModifier) return false;
    const steps: Readonly<Partial<Record<string, number>>> = {
      ArrowDown: 1,
      ArrowUp: -1,
      PageDown: PAGE,
      PageUp: -PAGE,
    };
    const step = steps[key];
    if (step !== undefined) {
      const { length } = this.offers;
      const next = this.chosen + step;
      this.choose(Math.abs(step) === 1 ? (next + length) % length : Math.min(length - 1, Math.max(0, next)));
      return true;
    }
    if (key === 'Enter' || key === 'Tab') return this.takeAsItStands(this.offers[this.chosen]!);
    if (key !== 'Escape') return false;
    this.close();
    return true;
  }

  /** Takes an offer, fitted to the text as it is; false: nothing of it is left to take, and the list is gone. */
  private takeAsItStands(offer: Completion): boolean {
    const fitted = fitOffer(offer, this.text, this.read());
    if (fitted) this.take(fitted);
    else this.close();
    return fitted !== null;
  }

  private draw({ label, detail }: Completion, index: number): HTMLLIElement {
    const row = document.createElement('li');
    row.role = 'option';
    row.id = `${this.id}-${index}`;
    row.className = styles.offer!;
    row.title = `${label} · ${detail}`;
    row.append(write('label', label), write('detail', detail));
    return row;
  }

  private choose(index: number): void {
    this.chosen = index;
    [...this.element.children].forEach((row, at) => (row.ariaSelected = String(at === index)));
    this.element.children[index]?.scrollIntoView({ block: 'nearest' });
    this.input()?.setAttribute('aria-activedescendant', `${this.id}-${index}`);
  }
}

function write(part: 'label' | 'detail', text: string): HTMLSpanElement {
  const span = document.createElement('span');
  span.className = styles[part]!;
  span.textContent = text;
  return span;
}
