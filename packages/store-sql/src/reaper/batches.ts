export interface ReapOptions {
  /** Epoch milliseconds: what expired before this moment goes. */
  readonly expiredBefore: number;
  /**
   * Epoch milliseconds: records deleted before this moment go, once nothing hangs on them, and counts of failed
   * logins and of changes that have meant nothing since.
   */
  readonly deletedBefore: number;
  /**
   * Epoch milliseconds: codes that were issued after this moment stay, expired and revoked ones too, for they show that a
   * consent page was answered that could still be submitted again. So do the grants that they hang on.
   */
  readonly answeredBefore?: number;
  /** Epoch milliseconds: the trail of changes before this moment goes; 0 = none of it. */
  readonly auditedBefore?: number;
  /** Epoch milliseconds: logins, logouts, withdrawals and grants before this moment leave the trail; 0 = none of them. */
  readonly loggedInBefore?: number;
  /** Epoch milliseconds: counts of tokens issued before this moment go. */
  readonly countedBefore?: number;
  /** Rows of one transaction: small enough that token requests hardly wait for it. */
  readonly batchSize: number;
  /** Stops between two batches. */
  readonly signal?: AbortSignal;
}

/** Repeats what removes or changes a batch of rows until one is not full; resolves with their number. */
export async function inBatches(
  { batchSize, signal }: ReapOptions,
  batch: () => Promise<number>,
): Promise<number> {
  let total = 0;
  for (;;) {
    if (signal?.aborted) return total;
    const rows = await batch();
    total += rows;
    if (rows < batchSize) return total;
  }
}
