import type { PlayedWebhook } from './played-webhook';
import { isRecord } from '@shared/json/is-record';

/** What names a payment in a webhook; of `payment_uuid` as many digits as a double keeps. */
const NAMES = /"(?:client_reference|payment_reference)":"([^"]+)"|"payment_uuid":"?(\d{12})/g;

type Added = readonly [place: string, json: string];

/**
 * Tells what a check's own webhooks did to a receiver's state from what came of others meanwhile: where something that names
 * one of ours was added, something that names none of them is another's.
 */
export class OwnEffects {
  /** A webhook of ours was answered: over HTTP, as it was sent. */
  hasAnswered = false;
  private readonly names = new Set<string>();
  private current = new Set<string>();
  private readonly places = new Set<string>();

  /** Begins what is judged by itself: what was sent before is another's from now on, and may be seen late. */
  begin(): void {
    this.current = new Set();
  }

  /** Takes a webhook for one of ours, before it is sent. */
  note({ id, body }: PlayedWebhook): void {
    // A double is printed as 9.00719925474e+15 by many languages: such a handler is what large payment UUIDs are for.
    const names = [
      id,
      ...[...body.matchAll(NAMES)].flatMap(([, text, digits]) =>
        digits === undefined ? text! : [digits, `${digits[0]}.${digits.slice(1)}`],
      ),
    ];
    for (const name of names) {
      this.names.add(name);
      this.current.add(name);
    }
  }

  /**
   * Tells whether something of another payment came or changed between two states. What names nobody, such as a count, tells nothing.
   *
   * @param before - parsed JSON, as `after`
   */
  isDisturbed(before: unknown, after: unknown): boolean {
    const added = [...listAdded(before, after, '')];
    const isOf =
      (names: ReadonlySet<string>) =>
      ([, json]: Added): boolean =>
        [...names].some((name) => json.includes(name));
    for (const [place] of added.filter(isOf(this.names))) this.places.add(place);
    const isCurrent = isOf(this.current);
    return added.some((one) => this.places.has(one[0]) && !isCurrent(one));
  }
}

/** Elements and members that were not there before, each with the place of the list or object that has it. */
function* listAdded(before: unknown, after: unknown, place: string): Generator<Added> {
  if (Array.isArray(before) && Array.isArray(after)) {
    const known = new Set(before.map((one) => JSON.stringify(one)));
    for (const one of after) {
      const json = JSON.stringify(one);
      if (!known.has(json)) yield [place, json];
    }
  } else if (isRecord(before) && isRecord(after)) {
    for (const [key, value] of Object.entries(after)) {
      if (Object.hasOwn(before, key)) yield* listAdded(before[key], value, `${place}/${key}`);
      else yield [place, JSON.stringify([key, value])];
    }
  }
}
