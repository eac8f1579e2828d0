import type { RepetitionOutcome } from '@watchword/protocol';

/** The first outcome is also the outcome of a token without a successor. */
const outcomes = ['used', 'streak', 'exhausted', 'answered'] as const satisfies readonly RepetitionOutcome[];

/** The number that the statement returns for an outcome. */
export function outcomeNumber(outcome: RepetitionOutcome): number {
  return outcomes.indexOf(outcome);
}

export function outcomeOf(number: number): RepetitionOutcome {
  const found = outcomes[number];
  if (found === undefined) throw new Error(`the database answered a repetition with ${number}`);
  return found;
}
