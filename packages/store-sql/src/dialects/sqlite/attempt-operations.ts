/** Replaces all the counts, or none when one of them is not what is expected: 0. */
export type AttemptOperation = readonly [
  type: 'replaceAttemptCounts',
  replacements: readonly CountReplacement[],
];

/** What must stand under the key, and what is to stand there; `null` = nothing. */
export type CountReplacement = readonly [
  key: string,
  expectedFailures: number | null,
  expectedAt: number | null,
  expectedExpires: number | null,
  failures: number | null,
  at: number | null,
  expires: number | null,
];
