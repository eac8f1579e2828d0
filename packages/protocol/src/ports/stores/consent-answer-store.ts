/** The one answer to a consent page. */
export interface ConsentAnswer {
  /** UUIDv7 in canonical text form, sealed in the page. If a code is the answer, the code has the same id. */
  readonly id: string;
  /** Epoch milliseconds: the page cannot be submitted after this time. */
  readonly expires: number;
}

/** Stores which consent pages were answered. An answer with a code is stored by its code, any other answer here. */
export interface ConsentAnswerStore {
  isGiven(id: string): Promise<boolean>;
  /**
   * Stores an answer that has no code. `false`, and nothing is changed, if there was an answer before. One statement decides.
   * The answer is stored at least until it expires.
   */
  note(answer: ConsentAnswer): Promise<boolean>;
}
