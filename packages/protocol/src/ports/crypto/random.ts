/** Unpredictable bytes from a cryptographically secure generator. */
export interface Random {
  /** Fills the whole `target`. */
  fill(target: Uint8Array): void;
}
