/** What ends tokens: the revocation of a token, the end of a grant, a change of a client. */
export class Ending {
  /** Milliseconds after the answer in which a node can still accept a token. */
  readonly #allowance: number;
  #isAsked = false;
  #answeredAt = Number.POSITIVE_INFINITY;

  constructor(allowance = 0) {
    this.#allowance = allowance;
  }

  /** The request is about to be sent: from now on the tokens can end. */
  ask(): void {
    this.#isAsked = true;
  }

  /** A later answer says that nothing has ended. */
  withdraw(): void {
    this.#isAsked = false;
  }

  /** The request has succeeded: the tokens have ended for every request that is sent later. */
  answer(): void {
    this.#isAsked = true;
    this.#answeredAt = Math.min(this.#answeredAt, performance.now());
  }

  /** Whether nothing could end the tokens so far. */
  get isImpossible(): boolean {
    return !this.#isAsked;
  }

  /** @param at when the request about a token was sent, by `performance.now()` */
  isCertain(at: number): boolean {
    return at > this.#answeredAt + this.#allowance;
  }
}

/** An access token that a client was answered. */
export class AnsweredToken {
  readonly text: string;
  /** Its revocation. */
  readonly ending = new Ending();
  /** Also of its grant and of its client. */
  readonly #endings: readonly Ending[];

  constructor(text: string, endings: readonly Ending[]) {
    this.text = text;
    this.#endings = [this.ending, ...endings];
  }

  /**
   * What token info must answer to a request that is sent at this time. Either is right for a token that was to end, when no answer said that it has.
   */
  state(at = performance.now()): 'valid' | 'ended' | 'either' {
    if (this.#endings.some((ending) => ending.isCertain(at))) return 'ended';
    return this.#endings.every((ending) => ending.isImpossible) ? 'valid' : 'either';
  }
}
