import { AppError } from '@shared/errors';

/** Longest wait that one real timer is given; a longer one is taken in steps (`setTimeout` wraps at 2^31 ms). */
const LONGEST_TIMER_MS = 3_600_000;

/** A year; the same bound as the contract's. */
const LONGEST_ADVANCE_SECONDS = 31_536_000;
/** The last instant that ISO 8601 writes with four digits of year. */
const LATEST_MS = Date.UTC(9999, 11, 31, 23, 59, 59);

/** The sandbox's own time: the machine's clock plus what was advanced. It only goes forward. */
export interface SandboxClock {
  /** Epoch milliseconds of the sandbox. Never smaller than an earlier answer. */
  now(): number;
  /** Milliseconds ahead of the machine's clock; kept by the store so that a restart does not go back. */
  offsetMs(): number;
  /** Moves time forward and runs at once what has come due. @throws {AppError} `sandbox.bad_clock` */
  advance(seconds: number): void;
  /** Runs `run` once, when the sandbox's time reaches the instant. @returns a function that calls it off */
  schedule(atEpochMs: number, run: () => void): () => void;
  /** Drops everything that is scheduled. */
  close(): void;
}

interface Appointment {
  at: number;
  run: () => void;
}

/**
 * Makes the clock that drives settlement, token expiry and webhook retries.
 *
 * One real timer at a time, for the earliest appointment; `advance` runs what it jumps over, in order.
 * @param options.offsetMs - what an earlier run had advanced by
 * @param options.wallNow - the machine's clock; tests pass their own
 */
export function createSandboxClock(
  options: { offsetMs?: number; wallNow?: () => number } = {},
): SandboxClock {
  const wallNow = options.wallNow ?? Date.now;
  let offsetMs = options.offsetMs ?? 0;
  let latest = 0;
  let timer: NodeJS.Timeout | null = null;
  let appointments: Appointment[] = [];

  const now = (): number => {
    latest = Math.max(latest, Math.floor(wallNow() + offsetMs));
    return latest;
  };

  const takeDue = (): Appointment | undefined => {
    const first = appointments[0];
    return first !== undefined && first.at <= now() ? appointments.shift() : undefined;
  };

  const arm = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    const first = appointments[0];
    if (first === undefined) return;
    timer = setTimeout(runDue, Math.min(LONGEST_TIMER_MS, Math.max(0, first.at - now())));
    timer.unref();
  };

  const runDue = (): void => {
    try {
      for (let due = takeDue(); due !== undefined; due = takeDue()) due.run();
    } finally {
      arm();
    }
  };

  return {
    now,
    offsetMs: () => offsetMs,
    advance(seconds) {
      if (!Number.isFinite(seconds) || seconds <= 0) {
        throw new AppError(
          'sandbox.bad_clock',
          'The sandbox clock only goes forward. Give a number of seconds above 0.',
        );
      }
      if (seconds > LONGEST_ADVANCE_SECONDS || now() + seconds * 1000 > LATEST_MS) {
        throw new AppError(
          'sandbox.bad_clock',
          'The sandbox clock is advanced by at most 31536000 seconds (a year) at a time, and no further than the year 9999.',
        );
      }
      offsetMs += Math.round(seconds * 1000);
      runDue();
    },
    schedule(at, run) {
      const appointment: Appointment = { at, run };
      const index = appointments.findIndex((other) => other.at > at);
      appointments.splice(index === -1 ? appointments.length : index, 0, appointment);
      if (appointments[0] === appointment) arm();
      return () => {
        appointments = appointments.filter((other) => other !== appointment);
        arm();
      };
    },
    close() {
      appointments = [];
      arm();
    },
  };
}
