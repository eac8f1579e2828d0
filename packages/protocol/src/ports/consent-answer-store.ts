/** The one answer to a consent page. */
export interface ConsentAnswer {
  /** UUIDv7 in canonical text form, sealed in the page. A code that is the answer has it for its own id. */
  readonly id: string;
  /** Epoch milliseconds: until then the page could be submitted again. */
  readonly expires: number;
}

/** Which consent pages were answered: by a code, or by an answer that was noted because it leaves none. */
export interface ConsentAnswerStore {
  isGiven(id: string): Promise<boolean>;
  /**
   * Notes an answer that gives the client nothing. `false`, and nothing changed, when there was an answer before.
   * Decided by one statement; remembered until it expires.
   */
  note(answer: ConsentAnswer): Promise<boolean>;
}
