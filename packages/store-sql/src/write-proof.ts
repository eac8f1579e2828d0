// Milliseconds for which a commit proves that others are possible.
const freshness = 1000;
const littleBytes = 16;
// After a failure: on a full disk a small write often finds room that the next requests will not.
const manyBytes = 65_536;

/** Knows whether writes can be made durable now. */
export class WriteProof {
  readonly #write: (bytes: number) => Promise<unknown>;
  #lastSuccess = Number.NEGATIVE_INFINITY;
  #isFailing = false;

  /** @param write writes so many bytes and resolves once they are durable; noted like any other commit */
  constructor(write: (bytes: number) => Promise<unknown>) {
    this.#write = write;
  }

  /** Notes how a commit ends. */
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

  /** Resolves when a commit was possible within the last second, or one is now; rejects with the reason why not. */
  async prove(): Promise<void> {
    if (!this.#isFailing && performance.now() - this.#lastSuccess < freshness) return;
    await this.#write(this.#isFailing ? manyBytes : littleBytes);
  }
}
