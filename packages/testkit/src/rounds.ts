/**
 * How often a test with random order or random input repeats. `quick` is for `npm test`, which runs at every change, and
 * `soak` is for `npm run test:soak`.
 */
export function rounds(quick: number, soak: number): number {
  return process.env.TEST_SOAK ? soak : quick;
}

/**
 * The variants of a rule that a test repeats, each for itself: all of them in `npm run test:soak`, and the first `quick` in
 * `npm test`. Only for variants that differ in their data, such as languages, and never for what can be attacked.
 */
export function variants<Variant>(quick: number, all: readonly Variant[]): readonly Variant[] {
  return all.slice(0, rounds(quick, all.length));
}
