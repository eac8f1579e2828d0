import type { Clocks } from './system.ts';

/** The same time by both clocks. */
export interface ClockReading {
  /** Epoch milliseconds. */
  readonly wall: number;
  readonly monotonic: number;
}

export function readClocks({ now, monotonic }: Clocks): ClockReading {
  return { wall: now(), monotonic: monotonic() };
}

/**
 * Milliseconds. The clock of the day may be set back and the monotonic one may stand still while a machine sleeps; the larger
 * difference is the age, so that neither clock prolongs anything.
 */
export function ageOf(then: ClockReading, now: ClockReading): number {
  return Math.max(now.wall - then.wall, now.monotonic - then.monotonic);
}
