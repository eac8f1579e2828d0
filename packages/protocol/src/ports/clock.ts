/** The time, handed in so that rules about lifetimes can be tested without waiting. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
}
