/** Unpredictable bytes from a cryptographically secure generator. */
export interface Random {
  /** Fills `target` whole. */
  fill(target: Uint8Array): void;
}
