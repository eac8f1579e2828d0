import type { AuthenticatorSettings } from '../records/stored-authenticator.ts';
import { defaultsOf, type FieldTable, type SubmittedFields } from './field.ts';
import { maxTextLength, textProblems, unlike } from './problems.ts';

/** A kind of identity provider that administrators can set up. */
export interface AuthenticatorKind {
  /** As people call it. */
  readonly label: string;
  readonly settings: FieldTable;
  /** Yields the problems between fields, each with its field. */
  check(settings: AuthenticatorSettings): Iterable<readonly [field: string, problem: string]>;
}

// Characters of pasted metadata. The body of a request is a little longer.
const maxMetadataLength = 200_000;
const maxCertificatesLength = 20_000;

const name = { type: 'text', maxLength: 1024 } as const;
const names = { type: 'texts', maxItems: 20, maxLength: 1024 } as const;
const setBy = 'administrator' as const;

const certificatePattern =
  /^\s*(?:-----BEGIN CERTIFICATE-----[\sA-Za-z0-9+/=]+-----END CERTIFICATE-----\s*)+$/;

export const samlSettings = {
  metadataUrl: {
    kind: { type: 'text', maxLength: maxTextLength },
    setBy,
    *check(value: string) {
      yield* textProblems(value);
      if (!isPlainUrl(value)) yield* unlike(value, 'an http(s) URL without user name and password');
    },
    summary: 'https URL of the metadata of the identity provider, which is read again every hour',
    details: 'Either it or metadata is set.',
  },
  metadata: {
    kind: { type: 'text', maxLength: maxMetadataLength },
    setBy,
    option: '--metadata-file <file>',
    // Its reader finds what is wrong with the XML.
    *check(value: string) {
      if (value.length > maxMetadataLength) yield `is longer than ${maxMetadataLength} characters`;
    },
    summary: 'metadata of the identity provider itself, as XML',
    details: 'It does not follow a change of the keys of the identity provider, as metadataUrl does.',
  },
  entityId: {
    kind: name,
    setBy,
    summary: 'entity ID of the identity provider',
    details: 'Needed if the metadata describes several. Left out, it is read from the metadata.',
  },
  signingCertificates: {
    kind: { type: 'text', maxLength: maxCertificatesLength },
    setBy,
    option: '--signing-certificates-file <file>',
    *check(value: string) {
      if (value.length > maxCertificatesLength) yield `is longer than ${maxCertificatesLength} characters`;
      else if (value !== '' && !certificatePattern.test(value)) yield 'expected certificates in PEM';
    },
    summary: 'certificates in PEM, with one of which the metadata must be signed',
  },
  nameFrom: {
    kind: names,
    setBy,
    summary: 'attributes for the name of a user, or NameID; the first one that comes',
    details: 'Default: urn:mace:dir:attribute-def:uid.',
  },
  stableIdFrom: {
    kind: names,
    setBy,
    summary: 'NameID or attributes that identify a user for good; the first one that comes',
    details: 'Default: a persistent NameID, else the name. Another value makes every user another one.',
  },
  displayNameFrom: {
    kind: names,
    setBy,
    summary: 'attributes for the name that pages show',
  },
  emailFrom: { kind: name, setBy, summary: 'attribute for the e-mail address' },
  groupsFrom: { kind: names, setBy, summary: 'attributes for the groups of a user' },
  rolesFrom: { kind: names, setBy, summary: 'attributes for the roles of a user' },
  requiredGroups: {
    kind: names,
    setBy,
    summary: 'groups of which a user must have one to log in; none: every user can',
  },
  adminGroup: { kind: name, setBy, summary: 'group whose members are administrators of this server' },
} as const satisfies FieldTable;

export type SamlSettings = SubmittedFields<typeof samlSettings>;

/** Every kind. A new one is an entry here, and one beside the server's table of modules. */
export const authenticatorKinds: Readonly<Record<string, AuthenticatorKind>> = {
  saml: {
    label: 'SAML 2.0',
    settings: samlSettings,
    *check({ metadataUrl, metadata }) {
      if (metadataUrl === '' && metadata === '') yield ['metadataUrl', 'is required, or metadata'];
      if (metadataUrl !== '' && metadata !== '') yield ['metadata', 'must not be set beside metadataUrl'];
    },
  },
};

export const authenticatorKindNames = Object.keys(authenticatorKinds);

/** Every field of the kind, with its default where it is not stored. */
export function wholeSettings(kind: AuthenticatorKind, stored: AuthenticatorSettings): AuthenticatorSettings {
  return { ...defaultsOf(kind.settings), ...stored } as AuthenticatorSettings;
}

function isPlainUrl(value: string): boolean {
  if (!/^https?:\/\/[^\s\\]+$/i.test(value) || !URL.canParse(value)) return false;
  const { username, password } = new URL(value);
  return username === '' && password === '';
}
