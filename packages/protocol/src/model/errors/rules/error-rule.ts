/** What an error says of one request. */
export interface Refusal {
  /** Replaces the default text of the error. It never contains a secret, token, code or password. */
  readonly description?: string | undefined;
  /**
   * What exactly was expected, and what came. Only the record owner of the client reads it, so it can say more than the
   * description, but no secret either. Default: the description.
   */
  readonly reason?: string | undefined;
  /** What the rule expected of this request, in a few words, as `reason` without a secret. */
  readonly expected?: string | undefined;
  /** What came instead. A token or code appears only by its fingerprint (`rules/fingerprint.ts`), a password not at all. */
  readonly came?: string | undefined;
}

/** A rule that a refused request breaks. All texts are for operators and developers, in English as the log is. */
export interface ErrorRule {
  /** The rule, as a sentence that holds for every accepted request. */
  readonly requirement: string;
  /** Where the rule comes from, such as `RFC 6749 §4.1.3`; absent for a rule that only this server has. */
  readonly section?: string;
  /**
   * The command that mends it. `{client}` and `{resourceServer}` stand for the client of the request and its resource server. Words in
   * capitals stand for what the operator must decide. It never has a text of the refused request, which an attacker can choose, and
   * never weakens a client, because anybody who knows its clientId can cause most errors.
   */
  readonly command?: string;
  /** What to do, as sentences. */
  readonly advice: string;
  /** What an error says of the facts of a request that breaks the rule; absent if the default texts are enough. */
  readonly refusal?: (facts: never) => Refusal;
}
