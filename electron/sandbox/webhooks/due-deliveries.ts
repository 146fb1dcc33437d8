import type { SandboxClock } from '../sandbox-clock';
import { DeliveryQueues } from './delivery-queues';
import type { DueMark, WebhookStore } from './webhook-store';

/** So many due deliveries are held as numbers; the rest waits in the database, whoever it is for. */
const HELD_CAP = 100_000;
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
    if (!this.mayBeMore) return false;
    const room = Math.min(PAGE, HELD_CAP - this.queues.size());
    if (room < PAGE / 2) return false;
    const { store, clock, onDue } = this.parts;
    const rows = store.listDue(this.mark, clock.now(), room);
    for (const { seq, callbackUrl } of rows) this.queues.add(toEndpoint(callbackUrl), seq);
    const last = rows.at(-1);
    if (last) this.mark = { at: last.at, seq: last.seq };
    this.mayBeMore = rows.length === room;
    this.cancelAppointment?.();
    const nextAt = this.mayBeMore ? null : store.nextDueAt(this.mark);
    this.cancelAppointment = nextAt === null ? null : clock.schedule(nextAt, onDue);
    return this.mayBeMore;
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
    const { mark } = this;
    if (at < mark.at || (at === mark.at && seq <= mark.seq)) this.queues.add(toEndpoint(callbackUrl), seq);
  }

  clear(): void {
    this.queues.clear();
    this.mark = BEGINNING;
    this.cancelAppointment?.();
    this.cancelAppointment = null;
  }
}

/** Order is kept for one address, whatever its query says. */
function toEndpoint(callbackUrl: string): string {
  return callbackUrl.split(/[?#]/, 1)[0]!;
}
