/** More than most processes verify within the time that proofs are usable. They take about 80 MB. */
const usualRoom = 500_000;

/** `many`: there is no room for more of its key. */
export type ProofUse = boolean | 'many';

/**
 * The proofs that this process has seen. None is forgotten while it is usable, so that nobody can displace a proof of another client and
 * send it again. Where there is little room, keys with more than half of what the largest one has get no more: a client that sends very
 * many is refused, and others are not.
 */
export class ProofMemory {
  readonly #now: () => number;
  readonly #room: number;
  readonly #known = new Set<string>();
  /** The proofs, each with its key, by the second in which they end. A `Map` of proofs would be slow at its front, where all are deleted. */
  readonly #ends = new Map<number, (readonly [id: string, jkt: string])[]>();
  readonly #counts = new Map<string, number>();
  /** `undefined` if it has to be counted. */
  #largest: number | undefined;
  #second = Number.NEGATIVE_INFINITY;

  /** @param room of keys as large as the largest; there is the same again for those that are not */
  constructor(now: () => number, room = usualRoom) {
    this.#now = now;
    this.#room = room;
  }

  use(id: string, until: number, jkt: string): ProofUse {
    this.#forgetEnded(secondOf(this.#now()));
    if (this.#known.has(id)) return false;
    const count = (this.#counts.get(jkt) ?? 0) + 1;
    if (!this.#hasRoomFor(count)) return 'many';
    const end = secondOf(until);
    const proofs = this.#ends.get(end);
    if (proofs === undefined) this.#ends.set(end, [[id, jkt]]);
    else proofs.push([id, jkt]);
    this.#known.add(id);
    this.#counts.set(jkt, count);
    if (this.#largest !== undefined) this.#largest = Math.max(this.#largest, count);
    return true;
  }

  get size(): number {
    return this.#known.size;
  }

  #hasRoomFor(count: number): boolean {
    const { size } = this.#known;
    if (size < this.#room) return true;
    this.#largest ??= largestOf(this.#counts.values());
    return size < 2 * this.#room && count * 2 <= this.#largest;
  }

  #forgetEnded(second: number): void {
    if (second === this.#second) return;
    this.#second = second;
    this.#largest = undefined;
    for (const [end, proofs] of this.#ends) {
      if (end >= second) continue;
      this.#ends.delete(end);
      for (const [id, jkt] of proofs) this.#forget(id, jkt);
    }
  }

  #forget(id: string, jkt: string): void {
    this.#known.delete(id);
    const count = (this.#counts.get(jkt) ?? 1) - 1;
    if (count === 0) this.#counts.delete(jkt);
    else this.#counts.set(jkt, count);
  }
}

function secondOf(milliseconds: number): number {
  return Math.floor(milliseconds / 1000);
}

function largestOf(counts: Iterable<number>): number {
  let largest = 0;
  for (const count of counts) largest = Math.max(largest, count);
  return largest;
}
