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
const maxPrivateKeyLength = 4000;

const name = { type: 'text', maxLength: 1024 } as const;
const names = { type: 'texts', maxItems: 20, maxLength: 1024 } as const;
const setBy = 'administrator' as const;

const certificatePattern =
  /^\s*(?:-----BEGIN CERTIFICATE-----[\sA-Za-z0-9+/=]+-----END CERTIFICATE-----\s*)+$/;

/** What becomes of a user: the names of attributes of SAML, or of claims of OpenID Connect. */
const ofUsers = {
  nameFrom: {
    kind: names,
    setBy,
    summary: 'attributes, claims or NameID for the name of a user; the first one that comes',
    details: 'Default: urn:mace:dir:attribute-def:uid of SAML, sub of OpenID Connect.',
  },
  displayNameFrom: {
    kind: names,
    setBy,
    summary: 'attributes or claims for the name that pages show',
  },
  emailFrom: { kind: name, setBy, summary: 'attribute or claim for the e-mail address' },
  groupsFrom: { kind: names, setBy, summary: 'attributes or claims for the groups of a user' },
  rolesFrom: { kind: names, setBy, summary: 'attributes or claims for the roles of a user' },
  requiredGroups: {
    kind: names,
    setBy,
    summary: 'groups of which a user must have one to log in; none: every user can',
  },
  adminGroup: { kind: name, setBy, summary: 'group whose members are administrators of this server' },
  mfaValues: {
    kind: names,
    setBy,
    summary: 'values of acr or amr, of SAML the AuthnContextClassRef, that count as several factors (mfa)',
    details: 'Any other login there is a single factor, whatever the identity provider says.',
  },
  phrValues: {
    kind: names,
    setBy,
    summary: 'such values that count as a login that cannot be phished (phr)',
  },
} as const satisfies FieldTable;

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
  ...ofUsers,
  stableIdFrom: {
    kind: names,
    setBy,
    summary: 'NameID or attributes that identify a user for good; the first one that comes',
    details: 'Default: a persistent NameID, else the name. Another value makes every user another one.',
  },
} as const satisfies FieldTable;

export type SamlSettings = SubmittedFields<typeof samlSettings>;

const domainPattern = /^(?=.{1,253}$)[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63})+$/;

/** Whether an authenticator can link users by addresses of this domain. */
export function isLinkDomain(text: string): boolean {
  return domainPattern.test(text);
}

export const oidcSettings = {
  preset: {
    kind: { type: 'choice', values: ['', 'google', 'microsoft', 'apple', 'gitlab', 'github'] },
    setBy,
    summary: 'provider of which the server knows what is special',
    details: 'Its issuer can be left out.',
  },
  tenant: {
    kind: name,
    setBy,
    summary: 'of Microsoft: id or domain of a tenant, or organizations with tenants',
  },
  tenants: { kind: names, setBy, summary: 'of Microsoft: ids of the tenants whose users can log in; *: all' },
  issuer: {
    kind: { type: 'text', maxLength: maxTextLength },
    setBy,
    *check(value: string) {
      yield* textProblems(value);
      if (!isPlainUrl(value)) yield* unlike(value, 'an http(s) URL without user name and password');
    },
    summary: 'issuer of an OpenID Connect provider, whose discovery document is read',
  },
  clientId: { kind: name, setBy, summary: 'client that is registered for this server at the provider' },
  clientSecret: {
    kind: name,
    setBy,
    isSecret: true,
    option: '--client-secret-file <file>',
    summary: 'secret of that client',
    details: 'It is stored sealed and never shown. Left out or empty, it stays as it is.',
  },
  teamId: { kind: name, setBy, summary: 'of Apple: id of the team' },
  keyId: { kind: name, setBy, summary: 'of Apple: id of the private key' },
  privateKey: {
    kind: { type: 'text', maxLength: maxPrivateKeyLength },
    setBy,
    isSecret: true,
    option: '--private-key-file <file>',
    *check(value: string) {
      if (value.length > maxPrivateKeyLength) yield `is longer than ${maxPrivateKeyLength} characters`;
    },
    summary: 'of Apple: the private key in PEM, with which client secrets are signed',
    details: 'It is stored sealed and never shown. Left out or empty, it stays as it is.',
  },
  scopes: { kind: names, setBy, summary: 'scopes beside openid', details: 'Default: profile and email.' },
  ...ofUsers,
  keepGroups: {
    kind: names,
    setBy,
    summary: 'groups that are kept, or their beginnings with * at the end; none: all',
  },
  emailDomains: {
    kind: names,
    setBy,
    summary: 'domains of e-mail addresses for which the provider is believed; *: all',
  },
  linkByVerifiedAddress: {
    kind: names,
    setBy,
    *check(value: readonly string[]) {
      for (const text of value)
        if (!isLinkDomain(text)) yield* unlike(text, 'a domain in small letters, such as example.org');
    },
    summary: 'domains whose users are linked to the local account with the same verified address',
  },
} as const satisfies FieldTable;

export type OidcSettings = SubmittedFields<typeof oidcSettings>;

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
  oidc: {
    label: 'OpenID Connect',
    settings: oidcSettings,
    *check({ issuer, clientId, preset }) {
      if (issuer === '' && preset === '') yield ['issuer', 'is required'];
      if (clientId === '') yield ['clientId', 'is required'];
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

/** Whether a value of the setting must not be shown. */
export function isSecretSetting(kind: string, setting: string): boolean {
  const { settings = {} } = Object.hasOwn(authenticatorKinds, kind) ? (authenticatorKinds[kind] ?? {}) : {};
  return Object.hasOwn(settings, setting) && settings[setting]?.isSecret === true;
}
