import { expect, test, vi } from 'vitest';
import { SandboxClock } from './sandbox-clock';

test('advancing runs what comes due, in order of time, and nothing later', () => {
  const clock = new SandboxClock({ wallNow: () => 1_000_000 });
  const ran: string[] = [];
  clock.schedule(1_003_000, () => ran.push('third'));
  clock.schedule(1_001_000, () => ran.push('first'));
  clock.schedule(1_002_000, () => ran.push('second'));
  clock.schedule(1_010_000, () => ran.push('later'));
  clock.advance(3);
  expect(ran).toEqual(['first', 'second', 'third']);
  expect(clock.now()).toBe(1_003_000);
  expect(clock.offsetMs()).toBe(3000);
  clock.close();
});

test('an appointment made while another runs is kept in the same jump', () => {
  const clock = new SandboxClock({ wallNow: () => 0 });
  const ran: number[] = [];
  clock.schedule(1000, () => {
    ran.push(1);
    clock.schedule(1500, () => ran.push(2));
  });
  clock.advance(2);
  expect(ran).toEqual([1, 2]);
});

test('an appointment that was called off does not run', () => {
  const clock = new SandboxClock({ wallNow: () => 0 });
  const run = vi.fn();
  clock.schedule(1000, run)();
  clock.advance(5);
  expect(run).not.toHaveBeenCalled();
});

test('time never goes back, whatever the machine does', () => {
  let wall = 5000;
  const clock = new SandboxClock({ wallNow: () => wall });
  expect(clock.now()).toBe(5000);
  wall = 1000;
  expect(clock.now()).toBe(5000);
});

test('where the machine sets its clock back, time goes on from where it was, and the offset says how far ahead it is', () => {
  let wall = 100_000_000;
  const onSetBack = vi.fn();
  const clock = new SandboxClock({ wallNow: () => wall, onSetBack });
  const settle = vi.fn();
  clock.schedule(clock.now() + 5000, settle);
  wall -= 86_400_000;
  expect(clock.now()).toBe(100_000_000);
  wall += 5000;
  expect([clock.now(), clock.offsetMs(), onSetBack.mock.calls.length]).toEqual([100_005_000, 86_400_000, 1]);
  clock.advance(0.001);
  expect(settle).toHaveBeenCalledOnce();
});

test('a correction of up to a second moves nothing: time stands still until it is made up', () => {
  let wall = 100_000;
  const clock = new SandboxClock({ wallNow: () => wall });
  clock.now();
  wall -= 1000;
  expect([clock.now(), clock.offsetMs()]).toEqual([100_000, 0]);
  wall += 1500;
  expect([clock.now(), clock.offsetMs()]).toEqual([100_500, 0]);
});

test('what an earlier run told is not gone behind, and a saved state may lie before it, or ahead of the clock here', () => {
  const clock = new SandboxClock({ wallNow: () => 5000, latestMs: 90_000 });
  expect([clock.now(), clock.offsetMs()]).toEqual([90_000, 85_000]);
  clock.restore(0, 0);
  expect([clock.now(), clock.offsetMs()]).toEqual([5000, 0]);
  clock.restore(1000, 80_000);
  expect([clock.now(), clock.offsetMs()]).toEqual([80_000, 75_000]);
});

test.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])('advancing by %s is refused', (seconds) => {
  expect(() => new SandboxClock().advance(seconds)).toThrow('only goes forward');
});

test('real time runs an appointment too', async () => {
  const clock = new SandboxClock();
  await new Promise<void>((resolve) => clock.schedule(clock.now() + 5, resolve));
});

test('advancing by more than a year, or beyond the year 9999, is refused', () => {
  expect(() => new SandboxClock().advance(31_536_001)).toThrow('at most 31536000 seconds');
  const late = new SandboxClock({ wallNow: () => Date.UTC(9999, 11, 31) });
  expect(() => late.advance(86_400)).toThrow('year 9999');
  late.advance(3600);
});
