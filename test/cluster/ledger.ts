import { createHash } from 'node:crypto';
import { createWriteStream, type WriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';

/** What a client did. */
export type Kind =
  | 'issue'
  | 'info'
  | 'authorize'
  | 'redeem'
  | 'redeem again'
  | 'refresh'
  | 'refresh again'
  | 'revoke'
  | 'keys'
  | 'administer';

/** An answer, or `broken` when the connection of a killed node ended without one. */
export interface Entry {
  readonly kind: Kind;
  /** Place of the node among all. */
  readonly node: number;
  readonly status: number | 'broken';
  /** Milliseconds from the request to the whole answer. */
  readonly took: number;
  /** The token, code or refresh token that the request was about; the file has its digest. */
  readonly about?: string | undefined;
  /** The access token of the answer, of which the file has the digest too. */
  readonly issued?: string | undefined;
}

/** Every answer that clients got, and every rule that an answer broke. */
export class Ledger {
  readonly #counts = new Map<Kind, Map<number | 'broken', number>>();
  readonly #violations: string[] = [];
  readonly #file: WriteStream | undefined;
  #answers = 0;
  #slowest = 0;
  #waiting: { readonly until: number; readonly resolve: () => void }[] = [];

  /** @param file gets a line of JSON for each answer, without the text of any token */
  constructor(file?: string) {
    if (file !== undefined) this.#file = createWriteStream(file, { mode: 0o600 });
  }

  note({ about, issued, ...entry }: Entry): void {
    const counts = this.#counts.get(entry.kind) ?? new Map<number | 'broken', number>();
    counts.set(entry.status, (counts.get(entry.status) ?? 0) + 1);
    this.#counts.set(entry.kind, counts);
    this.#slowest = Math.max(this.#slowest, entry.took);
    this.#write({
      ...entry,
      took: Math.round(entry.took),
      sha256: about && digest(about),
      issued: issued && digest(issued),
    });
    this.#answers += 1;
    this.#waiting = this.#waiting.filter(({ until, resolve }) => {
      if (this.#answers >= until) resolve();
      return this.#answers < until;
    });
  }

  /**
   * @param what happened, without any secret
   * @param about the token, code or refresh token, which is named by its digest
   */
  violate(what: string, about?: string): void {
    const violation = about === undefined ? what : `${what} (SHA-256 ${digest(about)})`;
    this.#violations.push(violation);
    this.#write({ violation });
  }

  /** Resolves when clients got so many more answers. */
  answered(more: number): Promise<void> {
    return new Promise((resolve) => this.#waiting.push({ until: this.#answers + more, resolve }));
  }

  count(kinds: readonly Kind[], status: number | 'broken'): number {
    return kinds.reduce((sum, kind) => sum + (this.#counts.get(kind)?.get(status) ?? 0), 0);
  }

  get counts(): ReadonlyMap<Kind, ReadonlyMap<number | 'broken', number>> {
    return this.#counts;
  }

  get violations(): readonly string[] {
    return this.#violations;
  }

  /** Milliseconds. */
  get slowest(): number {
    return this.#slowest;
  }

  #write(line: object): void {
    this.#file?.write(`${JSON.stringify({ at: Date.now(), ...line })}\n`);
  }

  async close(): Promise<void> {
    if (this.#file === undefined) return;
    this.#file.end();
    await finished(this.#file);
  }
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
