/**
 * Keeps values under small numbers that are used again. The tables that a changing Map or Set outgrows refer to each
 * other, so that all values that were ever in them survive every garbage collection but a full one.
 */
export class Slots<Value> {
  readonly #values: (Value | undefined)[] = [];
  readonly #free: number[] = [];

  /** Stores the value until it is taken. Returns its number. */
  put(value: Value): number {
    const slot = this.#free.pop() ?? this.#values.length;
    this.#values[slot] = value;
    return slot;
  }

  /** Removes and returns the value; `undefined` if there is none. */
  take(slot: number): Value | undefined {
    const value = this.#values[slot];
    if (value === undefined) return undefined;
    this.#values[slot] = undefined;
    this.#free.push(slot);
    return value;
  }

  /** Removes and returns all values. */
  takeAll(): Value[] {
    const kept = this.#values.filter((value) => value !== undefined);
    for (const slot of this.#values.keys()) this.take(slot);
    return kept;
  }
}
