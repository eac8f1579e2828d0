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
  /** Epoch milliseconds: counts of tokens issued before this moment go. */
  readonly countedBefore?: number;
  /** Rows of one statement: small enough that token requests hardly wait for it. */
  readonly batchSize: number;
  /** Runs each batch; it makes pauses so that others have the connection that writes. Absent: no pauses. */
  readonly pace?: Pace;
  /** Stops between two batches. */
  readonly signal?: AbortSignal;
}

/** Runs what it is given, once it is its time. */
export type Pace = <Value>(batch: () => Promise<Value>) => Promise<Value>;

export function paced<Value>({ pace }: ReapOptions, batch: () => Promise<Value>): Promise<Value> {
  return pace === undefined ? batch() : pace(batch);
}

/** Repeats what removes or changes a batch of rows until one is not full; resolves with their number. */
export async function inBatches(options: ReapOptions, batch: () => Promise<number>): Promise<number> {
  let total = 0;
  for (;;) {
    if (options.signal?.aborted) return total;
    const rows = await paced(options, batch);
    total += rows;
    if (rows < options.batchSize) return total;
  }
}
