import type { Identity } from '../../../model/resource-owner.ts';

/** Counts the recent changes of owners. */
export interface OwnerChangeStore {
  /**
   * Counts one more change of the owner. A count begins with a change and lasts `duration` milliseconds. The first change after
   * this time begins a new count.
   */
  count(owner: Identity, now: number, duration: number): Promise<ChangeCount>;
}

export interface ChangeCount {
  /** Including the change that was just counted. */
  readonly changes: number;
  /** Epoch milliseconds: the start of the count. */
  readonly since: number;
}
