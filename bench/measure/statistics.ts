export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return sorted.length % 2 === 1
    ? (sorted[Math.floor(middle)] ?? Number.NaN)
    : ((sorted[middle - 1] ?? Number.NaN) + (sorted[middle] ?? Number.NaN)) / 2;
}

/** What the rounds of a benchmark gave: the median, and the range of all of them. */
export interface Spread {
  readonly median: number;
  readonly least: number;
  readonly most: number;
}

export function spreadOf(values: readonly number[]): Spread {
  return { median: median(values), least: Math.min(...values), most: Math.max(...values) };
}

/** Such as `0.54 (0.51 to 0.58)`. */
export function shown({ median, least, most }: Spread, digits = 0): string {
  return `${median.toFixed(digits)} (${least.toFixed(digits)} to ${most.toFixed(digits)})`;
}
