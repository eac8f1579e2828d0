// Milliseconds that a change must last. After a start the first heartbeat can come later than the first lookups.
const lasting = 5000;

/** Reports when the replica cannot be used, and when it can again. What changes back soon is not reported. */
export class ReplicaWatch {
  #report: (problem: string | undefined) => void = () => {};
  /** As it was reported last. */
  #problem: string | undefined;
  #changedAt: number | undefined;

  /** @param report called with why the replica cannot be used, or with `undefined` when it can again */
  watch(report: (problem: string | undefined) => void): void {
    this.#report = report;
    if (this.#problem !== undefined) report(this.#problem);
  }

  /** The replica cannot be used at the start of the server. */
  failedAtStart(problem: string): void {
    this.#problem = problem;
  }

  /** @param problem why the replica was not used; `undefined` if it was. @param at epoch milliseconds */
  saw(problem: string | undefined, at: number): void {
    if ((problem === undefined) === (this.#problem === undefined)) {
      this.#changedAt = undefined;
      return;
    }
    this.#changedAt ??= at;
    if (at - this.#changedAt < lasting) return;
    this.#changedAt = undefined;
    this.#problem = problem;
    this.#report(problem);
  }
}
