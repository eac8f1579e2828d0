import type { WholeNumberKind } from './kind.ts';

/** A number that the server counts up and never gives again. */
export const recordIdKind = { type: 'wholeNumber', minimum: 1 } as const satisfies WholeNumberKind;
