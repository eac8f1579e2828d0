/** What a load was told, to compare it with the database at the end. */
export class Ledger {
  /** Tokens that were answered, and not revoked. */
  readonly live = new Set<string>();
  readonly revoked = new Set<string>();
  /** Tokens of which a revocation had no answer. */
  readonly uncertain = new Set<string>();
  readonly answers = new Map<string, number>();
  /** Answers that no client should get. */
  readonly faults: string[] = [];

  /** Counts an answer. Returns whether it was a success. */
  note(kind: string, { status, text }: { readonly status: number; readonly text: string }): boolean {
    const key = `${kind} ${status}`;
    this.answers.set(key, (this.answers.get(key) ?? 0) + 1);
    if (status !== 200 && status !== 503) this.faults.push(`${key} ${text.slice(0, 200)}`);
    return status === 200;
  }

  some(): string | undefined {
    const index = Math.floor(Math.random() * this.live.size);
    let place = 0;
    for (const token of this.live) {
      if (place === index) return token;
      place += 1;
    }
    return undefined;
  }
}
