import { median } from '../measure/statistics.ts';

/** Those that are compared, in the order of a round: what is measured second finds another machine than what was first. */
export function inOrder<Side>(sides: readonly Side[], round: number): readonly Side[] {
  return round % 2 === 0 ? sides : sides.toReversed();
}

/**
 * Processor time of this checkout and of the one before, round by round.
 *
 * @param now microseconds, of which each is compared with the one of the same round
 */
export function reportProcessorTime(what: string, now: readonly number[], before: readonly number[]): void {
  const ratios = now.map((microseconds, round) => microseconds / (before[round] ?? Number.NaN));
  const first = median(ratios.filter((_, round) => round % 2 === 0));
  const second = median(ratios.filter((_, round) => round % 2 === 1));
  console.log(
    `${what}: ${times(before)} before, ${times(now)} now; median of ratios ${median(ratios).toFixed(3)} ` +
      `(measured first ${first.toFixed(3)}, second ${second.toFixed(3)})`,
  );
}

function times(microseconds: readonly number[]): string {
  return `${median(microseconds).toFixed(1)} us (least ${Math.min(...microseconds).toFixed(1)})`;
}
