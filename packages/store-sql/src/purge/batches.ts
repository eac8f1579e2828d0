export interface PurgeOptions {
  /** Epoch milliseconds: rows that expired earlier are removed. */
  readonly expiredBefore: number;
  /**
   * Epoch milliseconds: records that were deleted earlier are removed, once no row belongs to them, and so are counts of
   * failed logins and of changes that have not been valid since, and messages of the outbox whose work is done.
   */
  readonly deletedBefore: number;
  /**
   * Epoch milliseconds: codes that were issued later stay, expired and revoked ones too, because they show that a consent
   * page was answered that could still be submitted again. So do the grants that they belong to.
   */
  readonly answeredBefore?: number;
  /** Epoch milliseconds: answers to rotations of refresh tokens before are cleared, because they are not given again. */
  readonly unrepeatableBefore?: number;
  /** Epoch milliseconds: earlier changes are removed from the audit log; 0 = none. */
  readonly auditedBefore?: number;
  /** Epoch milliseconds: earlier logins, logouts, withdrawals and grants are removed from the audit log; 0 = none. */
  readonly loggedInBefore?: number;
  /** Epoch milliseconds: counts of tokens issued earlier are removed. */
  readonly countedBefore?: number;
  /** Epoch milliseconds: counts of tokens issued to single clients earlier are removed. */
  readonly countedByClientBefore?: number;
  /** Epoch milliseconds: earlier errors of requests are removed. */
  readonly failedBefore?: number;
  /** Maximum number of rows of one statement. */
  readonly batchSize: number;
  /** Makes pauses between the batches, and makes batches small. Default: no pauses. */
  readonly pace?: Pace;
  /** Stops between two batches. */
  readonly signal?: AbortSignal;
}

export interface Pace {
  /** Milliseconds of the connection that writes for one batch. The number of rows in a batch is adapted to it. */
  readonly batchTime: number;
  /** After so many batches of one kind of rows the next kind has its turn. Default: a kind is removed whole. */
  readonly turn?: number;
  /** Called at the end of a turn that left rows. */
  leave?(): void;
  /**
   * Called after each batch.
   *
   * @param worked milliseconds for which the batch kept that connection
   * @param committed commands of requests that were committed so far
   */
  rest(worked: number, committed: () => number): Promise<void>;
}

/** The dependencies of a batch. */
export interface PacedOptions extends PurgeOptions {
  /** Milliseconds for which the connection that writes has worked on statements so far. */
  worked(): number;
  /** Commands of requests that it has committed so far. */
  committed(): number;
}

// Fewer rows are hardly faster, because each batch is a commit.
const leastRows = 10;

/** Repeats the removal or change of a batch of rows, to the end of a turn. Resolves with the number of rows. */
export function inTurn(
  options: PacedOptions,
  batch: (options: PacedOptions) => Promise<number>,
): Promise<number> {
  return inBatches(options, batch, options.pace?.turn);
}

/** Repeats the removal or change of a batch of rows until a batch is not full. Resolves with the number of rows. */
export async function inBatches(
  options: PacedOptions,
  batch: (options: PacedOptions) => Promise<number>,
  most = Number.POSITIVE_INFINITY,
): Promise<number> {
  let total = 0;
  let batchSize = options.pace === undefined ? options.batchSize : Math.min(leastRows, options.batchSize);
  for (let left = most; ; left -= 1) {
    if (options.signal?.aborted) return total;
    if (left === 0) {
      options.pace?.leave?.();
      return total;
    }
    const before = options.worked();
    const rows = await batch({ ...options, batchSize });
    const worked = options.worked() - before;
    total += rows;
    await options.pace?.rest(worked, options.committed);
    if (rows < batchSize) return total;
    batchSize = nextSize(batchSize, worked, options);
  }
}

/** The number of rows that fits the time of a batch; at most twice the last number, because the next rows can cost more. */
function nextSize(size: number, worked: number, { pace, batchSize: most }: PacedOptions): number {
  if (pace === undefined) return most;
  const fitting = Math.round(size * Math.min(2, pace.batchTime / worked));
  return Math.min(Math.max(fitting, leastRows), most);
}
