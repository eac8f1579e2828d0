import type { ThreadKind } from '../measure/processor-time.ts';

/** Of all processes of a contestant together. */
export interface Measurement {
  readonly perSecond: number;
  /** Milliseconds, of the slower process. */
  readonly p50: number;
  readonly p99: number;
  /** Microseconds of processor time for each operation. */
  readonly server: number;
  readonly database: number;
  readonly generator: number;
  /** Microseconds of processor time of the threads of the server for each operation. */
  readonly threads: ReadonlyMap<ThreadKind, number>;
  /** Requests of each operation. */
  readonly requests: number;
  /** The share of the machine, 0 to 1, that other processes used meanwhile. */
  readonly others: number;
}

export interface Measured {
  readonly name: string;
  readonly hasDatabase: boolean;
  readonly rounds: readonly Measurement[];
  /** Each at 70 % of the rate of its round. Empty if the work has no fixed rate. */
  readonly paced: readonly Measurement[];
  /** MB of all processes, before the first load and at the end. */
  readonly idleMemory: number;
  readonly memory: number;
}
