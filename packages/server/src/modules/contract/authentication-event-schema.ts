import * as v from 'valibot';
import { wholeNumber } from './values.ts';

// RFC 8176 defines values of up to 6 characters; modules can also define their own values.
const maxMethods = 20;
const methods = `a list of at most ${maxMethods} texts of 1 to 100 characters`;

/**
 * The data of a module about the user and the login, for subjects and tokens. They are stored for months, and subjects
 * are made from them.
 */
export const authenticationEventEntries = {
  stableId: v.optional(shortText(1024)),
  /** Epoch milliseconds. */
  authenticatedAt: v.optional(wholeNumber(0, Number.MAX_SAFE_INTEGER)),
  amr: v.optional(v.pipe(v.array(shortText(100), methods), v.maxLength(maxMethods, methods))),
  acr: v.optional(shortText(1024)),
};

function shortText(maxLength: number) {
  const expected = `a text of 1 to ${maxLength} characters`;
  return v.pipe(
    v.string(expected),
    v.check((value) => value !== '' && value.length <= maxLength && value.isWellFormed(), expected),
  );
}
