/** The time, handed in so that rules about lifetimes can be tested without waiting. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /** Milliseconds by which the clock of another node can be ahead of this one. Absent if there is no other node. */
  readonly othersAhead?: number;
}

/** Epoch milliseconds: no token that another node has issued until now is younger. */
export function latestNow(clock: Clock): number {
  return clock.now() + (clock.othersAhead ?? 0);
}

/** Milliseconds within which each process has heard of a change of the registered records, and does not issue what it forbids. */
export const changeDelay = 500;

/** Milliseconds by which the clocks of two nodes can differ without harm. */
export const nodeClockTolerance = 2000;
