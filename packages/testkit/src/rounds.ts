/**
 * How often a test repeats what chance decides: a race, a walk, a kill. `quick` is for `npm test`, which runs at every
 * change, `soak` for `npm run test:soak`.
 */
export function rounds(quick: number, soak: number): number {
  return process.env.TEST_SOAK ? soak : quick;
}
