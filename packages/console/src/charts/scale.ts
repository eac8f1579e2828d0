/** The ends of an axis and its lines: round numbers, at most `lines` of them above zero. */
export function axisOf(
  highest: number,
  lines = 4,
): { readonly end: number; readonly ticks: readonly number[] } {
  const step = roundUp(Math.max(highest, 1) / lines);
  const count = Math.max(1, Math.ceil(highest / step));
  return {
    end: step * count,
    ticks: Array.from({ length: count + 1 }, (_, index) => index * step),
  };
}

/** The next number of the series 1, 2, 5, 10, 20, 50, …: tokens are counted, so no step is less than one. */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(value, 1)));
  const step = [1, 2, 5, 10].find((factor) => factor * power >= value) ?? 10;
  return step * power;
}
