import { isProtocolClaim, loginLevels } from '@watchword/protocol';
import * as v from 'valibot';
import { flag, wholeNumber } from './values.ts';

// Characters of a claim; its texts are stored with each grant.
const maxClaimLength = 1024;
// Epoch seconds of the year 9999.
const maxSeconds = 253_402_300_799;
// RFC 8176 defines values of up to 6 characters; modules can also define their own values.
const maxMethods = 20;
const methods = `a list of at most ${maxMethods} texts of 1 to 100 characters`;

const maxClaims = 50;
const claimValue = v.union(
  [
    shortText(maxClaimLength),
    v.number(),
    v.boolean(),
    v.pipe(v.array(shortText(maxClaimLength)), v.maxLength(maxClaims)),
    // An address (OpenID Connect Core §5.1.1).
    v.record(v.string(), shortText(maxClaimLength)),
  ],
  `a text of 1 to ${maxClaimLength} characters, a number, true or false, a list of such texts, or an object of such texts`,
);
const typedClaims = {
  email: v.optional(shortText(maxClaimLength)),
  email_verified: v.optional(flag),
  phone_number: v.optional(shortText(maxClaimLength)),
  phone_number_verified: v.optional(flag),
  updated_at: v.optional(wholeNumber(0, maxSeconds)),
};
const claims = v.pipe(
  v.objectWithRest(typedClaims, claimValue, 'an object of claims'),
  v.check((given) => Object.keys(given).length <= maxClaims, `at most ${maxClaims} claims`),
  v.check(
    (given) => !Object.keys(given).some(isProtocolClaim),
    'claims of the user, and none that the server itself decides, such as sub or iss',
  ),
);

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
  level: v.optional(v.picklist(loginLevels, loginLevels.join(', '))),
  claims: v.optional(claims),
};

function shortText(maxLength: number) {
  const expected = `a text of 1 to ${maxLength} characters`;
  return v.pipe(
    v.string(expected),
    v.check((value) => value !== '' && value.length <= maxLength && value.isWellFormed(), expected),
  );
}
