import type { Authenticated } from '@watchword/protocol';
import { demand, isListOfTexts, isText, isWhole } from './nonsense.ts';

const maxIdLength = 1024;
// RFC 8176 defines values of up to 6 characters; modules may have values of their own.
const maxMethods = 20;
const maxMethodLength = 100;

/**
 * What a module says of the person and the login for subjects and tokens. It is stored for months, and subjects are made of it.
 *
 * @throws Nonsense
 */
export function checkAuthenticationEvent({ stableId, authenticatedAt, amr, acr }: Authenticated): void {
  demand(
    stableId === undefined || isId(stableId),
    `a stableId that is not a text of 1 to ${maxIdLength} characters`,
  );
  demand(
    authenticatedAt === undefined || isWhole(authenticatedAt, 0, Number.MAX_SAFE_INTEGER),
    'an authenticatedAt that is not a time in epoch milliseconds',
  );
  demand(
    amr === undefined || (isListOfTexts(amr) && amr.length <= maxMethods && amr.every(isMethod)),
    `an amr that is not a list of at most ${maxMethods} texts of 1 to ${maxMethodLength} characters`,
  );
  demand(acr === undefined || isId(acr), `an acr that is not a text of 1 to ${maxIdLength} characters`);
}

function isId(value: unknown): boolean {
  return isText(value) && value !== '' && value.length <= maxIdLength && value.isWellFormed();
}

function isMethod(value: string): boolean {
  return value !== '' && value.length <= maxMethodLength && value.isWellFormed();
}
