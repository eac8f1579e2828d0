import { seededRandom } from '@watchword/testkit';

/** Choices that a seed repeats. */
export interface Choices {
  /** From 0 to `count - 1`. */
  below(count: number): number;
  between(least: number, most: number): number;
  oneOf<Value>(values: readonly Value[]): Value;
  /** `true` once in so many times. */
  once(times: number): boolean;
}

export function choices(seed: string): Choices {
  const random = seededRandom(seed);
  const bytes = Buffer.alloc(4);
  const below = (count: number) => {
    random.fill(bytes);
    return bytes.readUInt32LE() % count;
  };
  return {
    below,
    between: (least, most) => least + below(most - least + 1),
    oneOf: (values) => {
      const value = values[below(values.length)];
      if (value === undefined) throw new Error('expected values to choose from');
      return value;
    },
    once: (times) => below(times) === 0,
  };
}
