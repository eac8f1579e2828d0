import type { AccountClaims } from '../fields/account-claims.ts';
import type { Principal } from '../principal.ts';

/** The identity provider of every local account (see `Identity`). */
export const accountIdentityProvider = 'password';

/** A local account of the authentication module `password`. */
export interface Account extends AccountClaims {
  /** Random, made with the account and never changed: an account that is created again has another one. */
  readonly id: string;
  /** Compared character by character. */
  readonly username: string;
  /** argon2id in PHC string form, or an imported hash (`parsePasswordHash`) until the next login; `undefined` until the user sets a password with the reset link. No login is possible before. */
  readonly passwordHash: string | undefined;
  readonly displayName: string;
  readonly roles: Principal['roles'];
  readonly groups: Principal['groups'];
  readonly adminPrincipal: boolean;
  readonly disabled: boolean;
  /** Epoch milliseconds. */
  readonly creationDate: number;
  /** Counts the changes, for conditional requests. */
  readonly revision: number;
  /** The revision in which the account was enabled again; 0 if that never happened. */
  readonly enabledRevision: number;
  /** The reset link that was issued last; `undefined` when it was redeemed, or ended with a change. */
  readonly resetLink?: StoredResetLink | undefined;
  /**
   * An administrator has removed the second factor beside which the password could be short. From then on the account is opened by no
   * password alone that is shorter than others must be.
   */
  readonly needsLongPassword?: true;
}

/** Whether two addresses are the same but for small and capital letters of ASCII. */
export function isSameAddress(one: string, other: string): boolean {
  return lowered(one) === lowered(other);
}

function lowered(address: string): string {
  return address.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** The user of the account. Its attributes have the names of standard claims (OpenID Connect Core §5.1); what is not known is absent. */
export function accountPrincipal(account: Account): Principal {
  const { username: name, displayName, roles, groups, adminPrincipal, address, ...claims } = account;
  const { formatted, streetAddress, locality, region, postalCode, country } = address;
  const known = Object.entries({
    DISPLAY_NAME: displayName,
    email: claims.email,
    email_verified: claims.email && String(claims.emailVerified),
    given_name: claims.givenName,
    family_name: claims.familyName,
    nickname: claims.nickname,
    picture: claims.picture,
    locale: claims.locale,
    zoneinfo: claims.zoneinfo,
    phone_number: claims.phoneNumber,
    phone_number_verified: claims.phoneNumber && String(claims.phoneNumberVerified),
    address: formatted,
    street_address: streetAddress,
    locality,
    region,
    postal_code: postalCode,
    country,
  }).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return { name, roles, groups, adminPrincipal, attributes: Object.fromEntries(known) };
}

/** A link with which the user sets a password, without the link itself. */
export interface StoredResetLink {
  /** SHA-256 digest of the verifier, 32 bytes. */
  readonly digest: Uint8Array;
  /** Epoch milliseconds. */
  readonly expires: number;
}
