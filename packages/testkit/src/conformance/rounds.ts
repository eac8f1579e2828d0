import { rounds } from '../rounds.ts';

const roundsAtOnce = 20;

export function times<Value>(count: number, make: (index: number) => Value): Value[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

/**
 * Runs many rounds, some concurrently, so that they share commits. `isReversed` reverses the order of the calls. It differs between the
 * first rounds of two groups, because a database can run a whole group in the order of the kinds of its first calls.
 */
export async function inRounds(play: (isReversed: boolean, round: number) => Promise<void>): Promise<void> {
  for (let round = 0; round < rounds(40, 200); round += roundsAtOnce) {
    const group = round / roundsAtOnce;
    await Promise.all(times(roundsAtOnce, (index) => play((group + index) % 2 === 0, round + index)));
  }
}

export function atOnce<First, Second>(
  isReversed: boolean,
  first: () => Promise<First>,
  second: () => Promise<Second>,
): Promise<unknown> {
  return Promise.all(isReversed ? [second(), first()] : [first(), second()]);
}
