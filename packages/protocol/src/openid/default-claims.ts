import type { OpenidScope } from '../model/openid-scope.ts';

/**
 * Attributes of a principal, the preferred one first. `principal.name`, `principal.roles` and `principal.groups` are the other
 * fields of a principal.
 */
type ClaimSource = readonly string[];

/** The sources of claims by the name of the claim, and the scope to which a claim belongs. */
export type ClaimMapping = Readonly<
  Record<string, ClaimSource | { readonly from: ClaimSource; readonly scope: OpenidScope }>
>;

// Where attributes of LDAP and SAML have these names (RFC 4519, RFC 2798, eduPerson, WS-Federation claims).
const oid = (number: string) => `urn:oid:${number}`;
const wsClaim = (name: string) => `http://schemas.xmlsoap.org/ws/2005/05/identity/claims/${name}`;

/**
 * The attributes of a principal that have the standard claims (OpenID Connect Core §5.1), the preferred one first. Claims of
 * the address are named `address.`, with the member of §5.1.1.
 */
export const defaultClaims = {
  name: ['name', 'displayName', 'DISPLAY_NAME', 'cn', oid('2.16.840.1.113730.3.1.241'), oid('2.5.4.3')],
  given_name: ['given_name', 'givenName', oid('2.5.4.42'), wsClaim('givenname')],
  family_name: ['family_name', 'sn', 'surname', oid('2.5.4.4'), wsClaim('surname')],
  middle_name: ['middle_name', 'middleName'],
  nickname: ['nickname', 'eduPersonNickname'],
  preferred_username: ['preferred_username', 'uid', oid('0.9.2342.19200300.100.1.1'), 'principal.name'],
  profile: ['profile'],
  picture: ['picture'],
  website: ['website'],
  gender: ['gender'],
  birthdate: ['birthdate'],
  zoneinfo: ['zoneinfo'],
  locale: ['locale', 'preferredLanguage'],
  updated_at: ['updated_at'],
  email: ['email', 'mail', 'EMAIL', oid('0.9.2342.19200300.100.1.3'), wsClaim('emailaddress')],
  email_verified: ['email_verified', 'emailVerified'],
  'address.formatted': ['address', 'postalAddress'],
  'address.street_address': ['street_address', 'street'],
  'address.locality': ['locality', 'l'],
  'address.region': ['region', 'st'],
  'address.postal_code': ['postal_code', 'postalCode'],
  'address.country': ['country', 'c'],
  phone_number: ['phone_number', 'telephoneNumber', 'mobile', oid('2.5.4.20')],
  phone_number_verified: ['phone_number_verified', 'phoneNumberVerified'],
  groups: { from: ['principal.groups'], scope: 'groups' },
} as const satisfies ClaimMapping;
