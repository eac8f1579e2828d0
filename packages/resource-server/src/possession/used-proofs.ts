import type { UsedProofs } from '../options/token-verifier-options.ts';

/**
 * More proofs than a process can verify within the time that they are usable, so that what is removed for want of room cannot come again. They
 * take about 50 MB.
 */
const mostProofs = 500_000;

/** The proofs that this process has seen. */
export class ProofMemory implements UsedProofs {
  readonly #now: () => number;
  readonly #most: number;
  /** In the order in which they came, which is about that of their ends. */
  readonly #ends = new Map<string, number>();

  constructor(now: () => number, most = mostProofs) {
    this.#now = now;
    this.#most = most;
  }

  use(id: string, until: number): boolean {
    const now = this.#now();
    for (const [known, end] of this.#ends) {
      if (end >= now && this.#ends.size < this.#most) break;
      this.#ends.delete(known);
    }
    if (this.#ends.has(id)) return false;
    this.#ends.set(id, until);
    return true;
  }

  get size(): number {
    return this.#ends.size;
  }
}
