import type { WholeNumberKind } from './kind.ts';

/** A number that the server increases and never uses again. */
export const recordIdKind = { type: 'wholeNumber', minimum: 1 } as const satisfies WholeNumberKind;
