// Milliseconds for which a commit proves that others are possible.
const freshness = 1000;
const littleBytes = 16;
// After a failure: on a full disk a small write often finds room that the next requests will not.
const manyBytes = 65_536;

/** Checks whether writes can be made durable now. */
export class WriteProof {
  readonly #write: (bytes: number) => Promise<unknown>;
  #lastSuccess = Number.NEGATIVE_INFINITY;
  #isFailing = false;

  /**
   * @param write writes this number of bytes, and resolves when they are durable; its result is recorded like any other commit
   */
  constructor(write: (bytes: number) => Promise<unknown>) {
    this.#write = write;
  }

  /** Records whether a commit succeeded. */
  async note<Value>(commit: Promise<Value>): Promise<Value> {
    try {
      const value = await commit;
      this.#lastSuccess = performance.now();
      this.#isFailing = false;
      return value;
    } catch (error) {
      this.#isFailing = true;
      throw error;
    }
  }

  /** Resolves if a commit was possible within the last second, or is possible now. Otherwise rejects with the reason. */
  async prove(): Promise<void> {
    if (!this.#isFailing && performance.now() - this.#lastSuccess < freshness) return;
    await this.#write(this.#isFailing ? manyBytes : littleBytes);
  }
}
