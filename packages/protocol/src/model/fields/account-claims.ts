import { defaultsOf, type FieldTable, type StoredFields } from './field.ts';
import type { TextMapKind } from './kind.ts';
import { maxNameLength, maxTextLength, textProblems, unlike, usualEmail } from './problems.ts';

// Octets (RFC 5321 §4.5.3.1.3), which are characters here.
const maxEmailLength = 254;
const maxTagLength = 64;
const maxPhoneLength = 40;

const nameOfPerson = { type: 'text', maxLength: maxNameLength } as const;

/** An address for letters (OpenID Connect Core §5.1.1). */
const addressKind = {
  type: 'textMap',
  maxMembers: 6,
  maxLength: maxNameLength,
  names: ['formatted', 'streetAddress', 'locality', 'region', 'postalCode', 'country'],
} as const satisfies TextMapKind;

/** What administrators say of the person who has a local account: standard claims (OpenID Connect Core §5.1). Empty: not known. */
export const accountClaimFields = {
  email: {
    kind: { type: 'text', maxLength: maxEmailLength },
    setBy: 'administrator',
    *check(value: string) {
      yield* textProblems(value, maxEmailLength);
      if (!usualEmail.test(value)) yield* unlike(value, 'an e-mail address such as emma@example.org');
    },
    label: 'E-mail address',
    summary: 'e-mail address of the person, or empty',
    details: 'Several accounts can have the same one.',
    option: '--email <address>',
  },
  emailVerified: {
    kind: { type: 'flag' },
    setBy: 'administrator',
    label: 'The e-mail address is verified',
    summary: 'it is certain that the e-mail address belongs to the person',
    details: 'Becomes false with another address, unless the same change sets it.',
  },
  givenName: {
    kind: nameOfPerson,
    setBy: 'administrator',
    label: 'Given name',
    summary: 'given names of the person, or empty',
  },
  familyName: {
    kind: nameOfPerson,
    setBy: 'administrator',
    label: 'Family name',
    summary: 'family names of the person, or empty',
  },
  nickname: {
    kind: nameOfPerson,
    setBy: 'administrator',
    label: 'Nickname',
    summary: 'casual name of the person, or empty',
  },
  picture: {
    kind: { type: 'text', maxLength: maxTextLength },
    setBy: 'administrator',
    *check(value: string) {
      yield* textProblems(value);
      const isSecure = /^https:\/\/[!-[\]-~]+$/i.test(value) && URL.canParse(value);
      if (!isSecure) yield* unlike(value, 'an https URL of a picture');
    },
    label: 'Picture of the person',
    summary: 'https URL of a picture of the person, or empty',
    details: 'The server never fetches it.',
    option: '--picture <url>',
  },
  locale: {
    kind: { type: 'text', maxLength: maxTagLength },
    setBy: 'administrator',
    *check(value: string) {
      if (!isLanguageTag(value)) yield* unlike(value, 'a language tag of BCP 47 such as nl or de-AT');
    },
    label: 'Language',
    summary: 'language of the person as a tag of BCP 47 such as nl or de-AT, or empty',
    option: '--locale <tag>',
  },
  zoneinfo: {
    kind: { type: 'text', maxLength: maxTagLength },
    setBy: 'administrator',
    *check(value: string) {
      if (!isTimeZone(value)) yield* unlike(value, 'a time zone of IANA such as Europe/Amsterdam');
    },
    label: 'Time zone',
    summary: 'time zone of the person as IANA names it, such as Europe/Amsterdam, or empty',
    option: '--zoneinfo <zone>',
  },
  phoneNumber: {
    kind: { type: 'text', maxLength: maxPhoneLength },
    setBy: 'administrator',
    *check(value: string) {
      if (!isPhoneNumber(value)) {
        yield* unlike(value, 'a phone number with + and the country code, such as +31 6 12345678');
      }
    },
    label: 'Phone number',
    summary: 'phone number of the person with + and the country code, or empty',
    details: 'Spaces, hyphens, parentheses and an extension (;ext=5678) are permitted.',
    option: '--phone-number <number>',
  },
  phoneNumberVerified: {
    kind: { type: 'flag' },
    setBy: 'administrator',
    label: 'The phone number is verified',
    summary: 'it is certain that the phone number belongs to the person',
    details: 'Becomes false with another number, unless the same change sets it.',
  },
  address: {
    kind: addressKind,
    setBy: 'administrator',
    label: 'Postal address',
    summary: `postal address of the person: texts for ${addressKind.names.join(', ')}`,
    details: 'In a change, null or an empty text removes one.',
    option: '--address <name=value>',
  },
} as const satisfies FieldTable;

export type AccountClaims = StoredFields<typeof accountClaimFields>;

/** Of a person of whom nothing is known. */
export const noAccountClaims: AccountClaims = defaultsOf(accountClaimFields);

function isLanguageTag(value: string): boolean {
  try {
    return value.length <= maxTagLength && Intl.getCanonicalLocales(value).length === 1;
  } catch {
    return false;
  }
}

function isTimeZone(value: string): boolean {
  // An offset such as +01:00 is no zone, although it is known here.
  if (!/[a-z]/i.test(value)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: value }) !== undefined;
  } catch {
    return false;
  }
}

/** E.164, as people write it (OpenID Connect Core §5.1, RFC 3966 §5.1.4). */
function isPhoneNumber(value: string): boolean {
  if (value.length > maxPhoneLength || !/^\+[\d ().-]+(?:;ext=\d{1,10})?$/.test(value)) return false;
  const [number = ''] = value.split(';');
  const digits = number.replace(/\D/g, '').length;
  return digits >= 7 && digits <= 15;
}
