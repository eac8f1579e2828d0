import type { WholeNumberKind } from './kind.ts';

export const durationKind = {
  type: 'wholeNumber',
  minimum: 0,
  /** A century of seconds: far enough that no sum of times leaves the safe integers. */
  maximum: 3_155_760_000,
} as const satisfies WholeNumberKind;

export function* durationProblems(seconds: number): Iterable<string> {
  const { minimum, maximum } = durationKind;
  if (!Number.isSafeInteger(seconds) || seconds < minimum || seconds > maximum) {
    yield `is not a whole number of seconds from ${minimum} to ${maximum}`;
  }
}
