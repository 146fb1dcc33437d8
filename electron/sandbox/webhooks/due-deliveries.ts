import type { SandboxClock } from '../sandbox-clock';
import { DeliveryQueues } from './delivery-queues';
import type { DueMark, WebhookStore } from './webhook-store';

/** So many due deliveries are held as numbers; the rest waits in the database, whoever it is for. */
const HELD_CAP = 100_000;
/** So many of one endpoint wait here; more are looked for, a page at a time, when half of them are gone. */
const ENDPOINT_CAP = 500;
const ENDPOINT_PAGE = 1000;
/** So many are brought in at once: more would hold up the answers of that moment. */
const PAGE = 20_000;
const BEGINNING: DueMark = { at: -1, seq: 0 };

export interface DueDeliveriesParts {
  readonly store: WebhookStore;
  readonly clock: SandboxClock;
  /** How many may be taken at a time. */
  readonly inFlightCap: number;
  /** Called when the next one has come due. */
  onDue(): void;
}

/** What is due, brought from the store into memory as numbers, in order; and an appointment for what is not due yet. */
export class DueDeliveries {
  private readonly queues: DeliveryQueues;
  private mark = BEGINNING;
  /** Endpoints of which the store has more that is due before `mark`, and after where. */
  private readonly passedOver = new Map<string, DueMark>();
  private mayBeMore = true;
  private cancelAppointment: (() => void) | null = null;

  constructor(private readonly parts: DueDeliveriesParts) {
    this.queues = new DeliveryQueues(parts.inFlightCap);
  }

  /** Notes that the store may hold more that is due. */
  expectMore(): void {
    this.mayBeMore = true;
  }

  /**
   * Brings in what has come due, where there may be any and there is room.
   *
   * @returns whether there may be more to bring in
   * @throws what the database says
   */
  load(): boolean {
    const isFilling = this.fillUp();
    if (!this.mayBeMore) return isFilling;
    const room = Math.min(PAGE, HELD_CAP - this.queues.size());
    if (room < PAGE / 2) return isFilling;
    const { store, clock, onDue } = this.parts;
    const rows = store.listDue(this.mark, clock.now(), room);
    for (const row of rows) this.hold(toEndpoint(row.callbackUrl), row);
    const last = rows.at(-1);
    if (last) this.mark = { at: last.at, seq: last.seq };
    this.mayBeMore = rows.length === room;
    this.cancelAppointment?.();
    const nextAt = this.mayBeMore ? null : store.nextDueAt(this.mark);
    this.cancelAppointment = nextAt === null ? null : clock.schedule(nextAt, onDue);
    return this.mayBeMore || isFilling;
  }

  /** Brings in more of an endpoint that was passed over and has few left. @returns whether there was one: there may be another */
  private fillUp(): boolean {
    const { mark, passedOver, queues } = this;
    const few = [...passedOver].find(([endpoint]) => queues.countWaiting(endpoint) <= ENDPOINT_CAP / 2);
    if (few === undefined) return false;
    const [endpoint, after] = few;
    const rows = this.parts.store.listDue(after, mark.at, ENDPOINT_PAGE);
    passedOver.delete(endpoint);
    for (const place of rows)
      if (toEndpoint(place.callbackUrl) === endpoint && !isAfter(place, mark)) this.hold(endpoint, place);
    const last = rows.at(-1);
    if (rows.length === ENDPOINT_PAGE && last && !passedOver.has(endpoint)) passedOver.set(endpoint, last);
    return true;
  }

  /** Holds a delivery, behind those of its endpoint that came due before; those that are too many are passed over for now. */
  private hold(endpoint: string, place: DueMark): void {
    const after = this.passedOver.get(endpoint);
    if (after !== undefined && isAfter(place, after)) return;
    if (after !== undefined || this.queues.countWaiting(endpoint) < ENDPOINT_CAP)
      this.queues.add(endpoint, place.seq);
    else this.passedOver.set(endpoint, { at: place.at, seq: place.seq - 1 });
  }

  /** Takes the next one that may be sent; null where there is none. */
  take(): { endpoint: string; seq: number } | null {
    return this.queues.take();
  }

  release(endpoint: string, seq: number): void {
    this.queues.release(endpoint, seq);
  }

  /** Puts back one that was taken and could not be tried, as the next of its endpoint: `load` never looks behind its mark. */
  putBack(endpoint: string, seq: number): void {
    this.queues.putBack(endpoint, seq);
  }

  has(seq: number): boolean {
    return this.queues.has(seq);
  }

  /** Takes up a delivery that was given another time: `load` never looks behind its mark. */
  reschedule(seq: number, callbackUrl: string, at: number): void {
    if (!isAfter({ at, seq }, this.mark)) this.hold(toEndpoint(callbackUrl), { at, seq });
  }

  clear(): void {
    this.queues.clear();
    this.passedOver.clear();
    this.mark = BEGINNING;
    this.cancelAppointment?.();
    this.cancelAppointment = null;
  }
}

function isAfter(place: DueMark, other: DueMark): boolean {
  return place.at > other.at || (place.at === other.at && place.seq > other.seq);
}

/** Order is kept for one address, whatever its query says. */
function toEndpoint(callbackUrl: string): string {
  return callbackUrl.split(/[?#]/, 1)[0]!;
}
