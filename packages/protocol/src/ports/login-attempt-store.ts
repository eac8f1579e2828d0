/**
 * Counts of failed logins, where every node sees them, so that passwords cannot be guessed faster by asking
 * several nodes. What the counts mean is for the caller to decide.
 */
export interface LoginAttemptStore {
  /**
   * Hands `decide` the counts under the keys, in their order, and stores what it makes of them; nobody changes
   * one of them in between, so that attempts in parallel all count. Durable when the promise resolves.
   *
   * @param keys short, none of them twice
   * @param decide pure: it is asked again when others changed a count meanwhile
   */
  change<Answer>(keys: readonly string[], decide: AttemptRule<Answer>): Promise<Answer>;
}

export type AttemptRule<Answer> = (counts: readonly (AttemptCount | undefined)[]) => AttemptDecision<Answer>;

export interface AttemptDecision<Answer> {
  readonly answer: Answer;
  /** What is to stand under the keys, in their order; `undefined` = nothing. */
  readonly counts: readonly (AttemptCount | undefined)[];
}

export interface AttemptCount {
  /** Some counts drain with time, so that it may be a fraction. */
  readonly failures: number;
  /** Epoch milliseconds: when `failures` was as it says. */
  readonly at: number;
  /** Epoch milliseconds: from then on the count means nothing, and may be gone. */
  readonly expires: number;
}
