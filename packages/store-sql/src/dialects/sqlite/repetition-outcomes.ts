import type { RepetitionOutcome } from '@watchword/protocol';

const outcomes = ['used', 'streak', 'exhausted', 'answered'] as const satisfies readonly RepetitionOutcome[];

/** The number under which the writer thread answers an outcome. */
export function outcomeNumber(outcome: RepetitionOutcome): number {
  return outcomes.indexOf(outcome);
}

export function outcomeOf(number: number): RepetitionOutcome {
  const found = outcomes[number];
  if (found === undefined) throw new Error(`the writer thread answered a repetition with ${number}`);
  return found;
}
