/**
 * How often a test with random order or random input repeats. `quick` is for `npm test`, which runs at every change, and
 * `soak` is for `npm run test:soak`.
 */
export function rounds(quick: number, soak: number): number {
  return process.env.TEST_SOAK ? soak : quick;
}
