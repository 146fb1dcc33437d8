import { AppError } from '@shared/errors';

/** Longest wait that one real timer is given; a longer one is taken in steps (`setTimeout` wraps at 2^31 ms). */
const LONGEST_TIMER_MS = 3_600_000;

/** By so much the machine's clock may be corrected without a word: time stands still meanwhile. */
const CORRECTION_MS = 1000;

/** A year; the same bound as the contract's. */
const LONGEST_ADVANCE_SECONDS = 31_536_000;
/** The last instant that ISO 8601 writes with four digits of year. */
const LATEST_MS = Date.UTC(9999, 11, 31, 23, 59, 59);

interface Appointment {
  readonly at: number;
  readonly run: () => void;
}

/**
 * The sandbox's own time: the machine's clock plus what was advanced. It only goes forward, and drives settlement, token
 * expiry and webhook retries. Where the machine's clock is set back, it goes on from where it was, ahead of it by as much.
 *
 * One real timer at a time, for the earliest appointment; `advance` runs what it jumps over, in order.
 */
export class SandboxClock {
  private offset: number;
  private latest = 0;
  private timer: NodeJS.Timeout | null = null;
  private appointments: Appointment[] = [];
  private readonly wallNow: () => number;
  private readonly onSetBack: () => void;

  /**
   * @param options.offsetMs - what an earlier run had advanced by
   * @param options.latestMs - an instant that an earlier run has told already
   * @param options.wallNow - the machine's clock; tests pass their own
   * @param options.onSetBack - called when the offset has grown because the machine's clock was set back
   */
  constructor(
    options: { offsetMs?: number; latestMs?: number; wallNow?: () => number; onSetBack?: () => void } = {},
  ) {
    this.offset = options.offsetMs ?? 0;
    this.latest = options.latestMs ?? 0;
    this.wallNow = options.wallNow ?? Date.now;
    this.onSetBack = options.onSetBack ?? (() => undefined);
  }

  /** Epoch milliseconds of the sandbox. Never smaller than an earlier answer. */
  now(): number {
    const now = Math.floor(this.wallNow() + this.offset);
    if (now >= this.latest) this.latest = now;
    else if (this.latest - now > CORRECTION_MS) {
      this.offset += this.latest - now;
      this.onSetBack();
    }
    return this.latest;
  }

  /** Milliseconds ahead of the machine's clock; kept by the store so that a restart does not go back. */
  offsetMs(): number {
    return this.offset;
  }

  /**
   * Takes the time of a state that was saved, which may be an earlier one.
   *
   * @param latestMs - an instant that the state has told already: the clock of where it was saved may have been ahead
   */
  restore(offsetMs: number, latestMs: number): void {
    this.offset = offsetMs;
    this.latest = latestMs;
    this.runDue();
  }

  /** Moves time forward and runs at once what has come due. @throws {AppError} `sandbox.bad_clock` */
  advance(seconds: number): void {
    if (!Number.isFinite(seconds) || seconds <= 0) {
      throw refuseAdvance('The sandbox clock only goes forward. Give a number of seconds above 0.');
    }
    if (seconds > LONGEST_ADVANCE_SECONDS || this.now() + seconds * 1000 > LATEST_MS) {
      throw refuseAdvance(
        'The sandbox clock is advanced by at most 31536000 seconds (a year) at a time, and no further than the year 9999.',
      );
    }
    this.offset += Math.round(seconds * 1000);
    this.runDue();
  }

  /** Runs `run` once, when the sandbox's time reaches the instant. @returns a function that calls it off */
  schedule(atEpochMs: number, run: () => void): () => void {
    const { appointments } = this;
    const appointment: Appointment = { at: atEpochMs, run };
    const index = appointments.findIndex((other) => other.at > atEpochMs);
    appointments.splice(index === -1 ? appointments.length : index, 0, appointment);
    if (appointments[0] === appointment) this.arm();
    return () => {
      this.appointments = this.appointments.filter((other) => other !== appointment);
      this.arm();
    };
  }

  /** Drops everything that is scheduled. */
  close(): void {
    this.appointments = [];
    this.arm();
  }

  private takeDue(): Appointment | undefined {
    const first = this.appointments[0];
    return first !== undefined && first.at <= this.now() ? this.appointments.shift() : undefined;
  }

  private arm(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    const first = this.appointments[0];
    if (first === undefined) return;
    const waitMs = Math.min(LONGEST_TIMER_MS, Math.max(0, first.at - this.now()));
    this.timer = setTimeout(() => this.runDue(), waitMs);
    this.timer.unref();
  }

  private runDue(): void {
    try {
      for (let due = this.takeDue(); due !== undefined; due = this.takeDue()) due.run();
    } finally {
      this.arm();
    }
  }
}

function refuseAdvance(message: string): AppError {
  return new AppError('sandbox.bad_clock', message);
}
