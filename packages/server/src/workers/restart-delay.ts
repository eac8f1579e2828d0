// Milliseconds.
const first = 100;
const longest = 10_000;
// A worker that has answered requests for so long ended for another reason than the worker before.
const steady = 60_000;

/**
 * Milliseconds until another worker starts in the place of one that has ended.
 *
 * @param failures how many ended early in a row, with this one
 */
export function restartDelay(failures: number): number {
  return failures <= 1 ? 0 : Math.min(first * 2 ** (failures - 2), longest);
}

/** @param failures of the workers before it @param lived milliseconds for which it was ready, 0 if it never was */
export function failuresAfter(failures: number, lived: number): number {
  return lived >= steady ? 1 : failures + 1;
}
