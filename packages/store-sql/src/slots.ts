/**
 * Keeps values under small numbers that are used again. The tables that a changing Map or Set outgrows refer to each
 * other, so that all values that were ever in them survive every garbage collection but a full one.
 */
export class Slots<Value> {
  readonly #values: (Value | undefined)[] = [];
  readonly #free: number[] = [];

  /** The number under which the value is kept until it is taken. */
  put(value: Value): number {
    const slot = this.#free.pop() ?? this.#values.length;
    this.#values[slot] = value;
    return slot;
  }

  /** The value, which is kept no longer; `undefined` when there is none. */
  take(slot: number): Value | undefined {
    const value = this.#values[slot];
    if (value === undefined) return undefined;
    this.#values[slot] = undefined;
    this.#free.push(slot);
    return value;
  }

  /** Everything that is kept, which is kept no longer. */
  takeAll(): Value[] {
    const kept = this.#values.filter((value) => value !== undefined);
    for (const slot of this.#values.keys()) this.take(slot);
    return kept;
  }
}
