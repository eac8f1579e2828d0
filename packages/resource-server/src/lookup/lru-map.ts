interface Entry<Value> {
  readonly key: string;
  value: Value;
  older: Entry<Value> | undefined;
  newer: Entry<Value> | undefined;
}

/**
 * A map of limited size. The entry that was unused for the longest time is removed first. Its order is a separate list,
 * because moving an entry of a `Map` to its end by deleting and setting it costs over a microsecond where there are few.
 */
export class LruMap<Value> {
  readonly #entries = new Map<string, Entry<Value>>();
  readonly #maxEntries: number;
  #oldest: Entry<Value> | undefined;
  #newest: Entry<Value> | undefined;

  constructor(maxEntries: number) {
    this.#maxEntries = maxEntries;
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#use(entry);
    return entry.value;
  }

  set(key: string, value: Value): void {
    let entry = this.#entries.get(key);
    if (entry === undefined) {
      if (this.#oldest !== undefined && this.#entries.size >= this.#maxEntries) this.delete(this.#oldest.key);
      entry = { key, value, older: undefined, newer: undefined };
      this.#entries.set(key, entry);
    }
    entry.value = value;
    this.#use(entry);
  }

  delete(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    this.#unlink(entry);
  }

  get size(): number {
    return this.#entries.size;
  }

  #use(entry: Entry<Value>): void {
    if (entry === this.#newest) return;
    this.#unlink(entry);
    entry.older = this.#newest;
    if (this.#newest !== undefined) this.#newest.newer = entry;
    this.#newest = entry;
    this.#oldest ??= entry;
  }

  /** Takes an entry out of the order; one that is not in it has no neighbours. */
  #unlink(entry: Entry<Value>): void {
    const { older, newer } = entry;
    if (older !== undefined) older.newer = newer;
    if (newer !== undefined) newer.older = older;
    if (entry === this.#oldest) this.#oldest = newer;
    if (entry === this.#newest) this.#newest = older;
    entry.older = undefined;
    entry.newer = undefined;
  }
}
