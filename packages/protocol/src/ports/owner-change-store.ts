import type { Identity } from '../model/resource-owner.ts';

/** How many changes owners have made of late. */
export interface OwnerChangeStore {
  /**
   * Counts one more change of the owner. A count begins with a change and lasts `duration` milliseconds; the first change
   * after that begins another.
   */
  count(owner: Identity, now: number, duration: number): Promise<ChangeCount>;
}

export interface ChangeCount {
  /** With the one that was counted now. */
  readonly changes: number;
  /** Epoch milliseconds: when the count began. */
  readonly since: number;
}
