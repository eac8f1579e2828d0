import { rounds } from '../rounds.ts';

const roundsAtOnce = 20;

export function times<Value>(count: number, make: (index: number) => Value): Value[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

/** Runs many rounds, some concurrently, so that they share commits. `isReversed` reverses the order of the calls. */
export async function inRounds(play: (isReversed: boolean, round: number) => Promise<void>): Promise<void> {
  for (let round = 0; round < rounds(40, 200); round += roundsAtOnce) {
    await Promise.all(times(roundsAtOnce, (index) => play(index % 2 === 0, round + index)));
  }
}

export function atOnce<First, Second>(
  isReversed: boolean,
  first: () => Promise<First>,
  second: () => Promise<Second>,
): Promise<unknown> {
  return Promise.all(isReversed ? [second(), first()] : [first(), second()]);
}
