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
}
