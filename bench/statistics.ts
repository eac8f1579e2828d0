export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return sorted.length % 2 === 1
    ? (sorted[Math.floor(middle)] ?? Number.NaN)
    : ((sorted[middle - 1] ?? Number.NaN) + (sorted[middle] ?? Number.NaN)) / 2;
}

/** Of times in milliseconds: the median, and what one in a hundred exceeds. */
export function quantiles(times: readonly number[]): { readonly p50: number; readonly p99: number } {
  const sorted = Float64Array.from(times).sort();
  const quantile = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN;
  return { p50: quantile(0.5), p99: quantile(0.99) };
}
