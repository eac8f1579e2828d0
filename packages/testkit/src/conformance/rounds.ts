import { rounds } from '../rounds.ts';

export function times<Value>(count: number, make: (index: number) => Value): Value[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

/**
 * Runs many rounds, some concurrently, so that they share commits. `isReversed` reverses the order of the calls. It differs between the
 * first rounds of two groups, because a database can run a whole group in the order of the kinds of its first calls.
 *
 * @param roundsAtOnce divides 20
 */
export async function inRounds(
  play: (isReversed: boolean, round: number) => Promise<void>,
  roundsAtOnce = 10,
): Promise<void> {
  for (let round = 0; round < rounds(20, 200); round += roundsAtOnce) {
    const group = round / roundsAtOnce;
    await allEnded(times(roundsAtOnce, (index) => play((group + index) % 2 === 0, round + index)));
  }
}

export function atOnce<First, Second>(
  isReversed: boolean,
  first: () => Promise<First>,
  second: () => Promise<Second>,
): Promise<void> {
  return allEnded(isReversed ? [second(), first()] : [first(), second()]);
}

/** Waits for all, also when one has failed: a store is emptied when its test ends, and nothing may still use it then. */
async function allEnded(all: readonly Promise<unknown>[]): Promise<void> {
  await Promise.allSettled(all);
  await Promise.all(all);
}
