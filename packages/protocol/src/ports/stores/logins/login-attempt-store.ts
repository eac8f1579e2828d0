/**
 * Counts of failed logins, shared by all nodes, so that several nodes do not permit more guesses than one. The caller
 * decides what the counts mean.
 */
export interface LoginAttemptStore {
  /**
   * Gives `decide` the counts under the keys, in their order, and stores the counts that it returns. No other change
   * happens in between, so that simultaneous attempts are all counted. The change is durable when the promise resolves.
   *
   * @param keys short texts without repetition
   * @param decide pure: it runs again if another caller changed a count in the meantime
   */
  change<Answer>(keys: readonly string[], decide: AttemptRule<Answer>): Promise<Answer>;
}

export type AttemptRule<Answer> = (counts: readonly (AttemptCount | undefined)[]) => AttemptDecision<Answer>;

export interface AttemptDecision<Answer> {
  readonly answer: Answer;
  /** The counts to store under the keys, in their order; `undefined` removes one. */
  readonly counts: readonly (AttemptCount | undefined)[];
}

export interface AttemptCount {
  /** Some counts decrease with time, so this can be a fraction. */
  readonly failures: number;
  /** Epoch milliseconds: the time at which the number of failures was correct. */
  readonly at: number;
  /** Epoch milliseconds: from this time on the count has no meaning and can be removed. */
  readonly expires: number;
}
