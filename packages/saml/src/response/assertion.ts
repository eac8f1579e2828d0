import { shown } from '@watchword/protocol';
import type { ServiceProvider } from '../addresses.ts';
import { SamlError } from '../saml-error.ts';
import { parseDateTime } from '../xml/dates.ts';
import { childOf, childrenOf, type XmlElement } from '../xml/element.ts';
import { saml } from '../xml/namespaces.ts';
import { simpleText } from './simple-text.ts';
import { requireUniqueIds } from './strict-xml.ts';

/** The content of an assertion about a user. */
export interface Assertion {
  readonly id: string;
  readonly issuer: string;
  readonly nameId: NameId | undefined;
  /** Values, by the name of the attribute. */
  readonly attributes: ReadonlyMap<string, readonly string[]>;
  /** Epoch milliseconds of the authentication (`AuthnInstant`). */
  readonly authenticatedAt: number;
  /** AuthnContextClassRef, the method of authentication; `undefined` when the assertion has none. */
  readonly authnContextClass: string | undefined;
  readonly sessionIndex: string | undefined;
  /** Entity ids of the identity providers behind the issuer, when it is a proxy; the outermost first. */
  readonly authenticatingAuthorities: readonly string[];
  /** Epoch milliseconds, without clock skew. */
  readonly notOnOrAfter: number;
}

export interface NameId {
  readonly value: string;
  readonly format: string | undefined;
  readonly nameQualifier: string | undefined;
  readonly spNameQualifier: string | undefined;
}

export interface Expected {
  readonly issuer: string;
  readonly service: ServiceProvider;
  readonly inResponseTo: string;
  /** Epoch milliseconds. */
  readonly now: number;
  /** The permitted difference of clocks, in milliseconds. */
  readonly clockSkew: number;
}

const maxContextClassLength = 1024;
const bearer = 'urn:oasis:names:tc:SAML:2.0:cm:bearer';

/**
 * Reads an assertion and checks its issuer, audience, recipient, request and times (Profiles §4.1.4.3).
 *
 * @param root the element that the signature covers
 * @throws SamlError
 */
export function readAssertion(root: XmlElement, expected: Expected): Assertion {
  if (root.namespace !== saml || root.name !== 'Assertion') {
    throw new SamlError('structure', 'the signed element is not an Assertion');
  }
  requireUniqueIds(root);
  const id = root.attributes.get('ID') ?? '';
  if (id === '' || root.attributes.get('Version') !== '2.0') {
    throw new SamlError('structure', 'the assertion has no ID, or its version is not 2.0');
  }
  const issuer = simpleText(one(root, 'Issuer')).trim();
  if (issuer !== expected.issuer) {
    throw new SamlError('issuer', `expected the issuer ${expected.issuer}, got ${quoted(issuer)}`);
  }
  const subject = one(root, 'Subject');
  const ends = [checkConditions(one(root, 'Conditions'), expected), checkConfirmation(subject, expected)];
  const statement = one(root, 'AuthnStatement');
  const authenticatedAt = timeOf(statement, 'AuthnInstant');
  if (authenticatedAt > expected.now + expected.clockSkew) {
    throw new SamlError('time', 'the time of the authentication is in the future; do the clocks agree?');
  }
  const sessionEnd = statement.attributes.has('SessionNotOnOrAfter')
    ? timeOf(statement, 'SessionNotOnOrAfter')
    : Number.POSITIVE_INFINITY;
  if (sessionEnd <= expected.now - expected.clockSkew) {
    throw new SamlError('time', 'the session at the identity provider has expired');
  }
  return {
    id,
    issuer,
    nameId: readNameId(childOf(subject, saml, 'NameID')),
    attributes: readAttributes(root),
    authenticatedAt,
    authnContextClass: readContextClass(childOf(statement, saml, 'AuthnContext')),
    sessionIndex: statement.attributes.get('SessionIndex'),
    authenticatingAuthorities: childrenOf(
      childOf(statement, saml, 'AuthnContext'),
      saml,
      'AuthenticatingAuthority',
    ).map((identityProvider) => simpleText(identityProvider).trim()),
    notOnOrAfter: Math.min(...ends),
  };
}

/** Checks times and audience (Core §2.5.1). Returns the expiry in epoch milliseconds. */
function checkConditions(conditions: XmlElement, { service, now, clockSkew }: Expected): number {
  const [begin, end] = [timeOf(conditions, 'NotBefore'), timeOf(conditions, 'NotOnOrAfter')];
  checkTime('Conditions', begin, end, now, clockSkew);
  const restrictions = childrenOf(conditions, saml, 'AudienceRestriction');
  const isForUs = (restriction: XmlElement) =>
    childrenOf(restriction, saml, 'Audience').some(
      (audience) => simpleText(audience).trim() === service.entityId,
    );
  if (restrictions.length === 0 || !restrictions.every(isForUs)) {
    const audiences = restrictions.flatMap(({ children }) => children.map(({ text }) => quoted(text)));
    throw new SamlError(
      'audience',
      `expected the audience ${service.entityId}, got ${audiences.slice(0, 5).join(', ') || 'none'}`,
    );
  }
  return end;
}

/** At least one bearer confirmation must be valid in all its parts (Profiles §4.1.4.2). Returns its expiry. */
function checkConfirmation(subject: XmlElement, expected: Expected): number {
  const confirmations = childrenOf(subject, saml, 'SubjectConfirmation').filter(
    ({ attributes }) => attributes.get('Method') === bearer,
  );
  const errors: SamlError[] = [];
  for (const confirmation of confirmations) {
    try {
      return checkConfirmationData(confirmation, expected);
    } catch (error) {
      if (!(error instanceof SamlError)) throw error;
      errors.push(error);
    }
  }
  throw errors[0] ?? new SamlError('confirmation', 'there is no SubjectConfirmation with the method bearer');
}

function checkConfirmationData(
  confirmation: XmlElement,
  { service, inResponseTo, now, clockSkew }: Expected,
): number {
  const data = childOf(confirmation, saml, 'SubjectConfirmationData');
  if (data === undefined) throw new SamlError('confirmation', 'there is no SubjectConfirmationData');
  const recipient = data.attributes.get('Recipient');
  if (recipient !== service.acs) {
    throw new SamlError('recipient', `expected the recipient ${service.acs}, got ${quoted(recipient)}`);
  }
  if (data.attributes.get('InResponseTo') !== inResponseTo) {
    throw new SamlError('request', 'response and assertion must have the same InResponseTo');
  }
  const begin = data.attributes.has('NotBefore') ? timeOf(data, 'NotBefore') : Number.NEGATIVE_INFINITY;
  const end = timeOf(data, 'NotOnOrAfter');
  checkTime('SubjectConfirmationData', begin, end, now, clockSkew);
  return end;
}

function checkTime(what: string, begin: number, end: number, now: number, clockSkew: number): void {
  const seconds = (milliseconds: number) => Math.ceil(milliseconds / 1000);
  if (now + clockSkew < begin) {
    throw new SamlError(
      'time',
      `${what} is not valid until ${seconds(begin - now)} s from now; do the clocks agree? clockSkew allows ${seconds(clockSkew)} s`,
    );
  }
  if (now - clockSkew >= end) {
    throw new SamlError(
      'time',
      `${what} expired ${seconds(now - end)} s ago; do the clocks agree? clockSkew allows ${seconds(clockSkew)} s`,
    );
  }
}

function timeOf({ name, attributes }: XmlElement, attribute: string): number {
  const parsed = parseDateTime(attributes.get(attribute));
  if (parsed === undefined)
    throw new SamlError('time', `${attribute} of ${name} is missing or is not a time in UTC`);
  return parsed;
}

/** The only child of this name. @throws SamlError */
function one(root: XmlElement, name: string): XmlElement {
  const [only, ...others] = childrenOf(root, saml, name);
  if (only !== undefined && others.length === 0) return only;
  throw new SamlError('structure', `expected exactly one ${name} in the assertion`);
}

/** The AuthnContextClassRef (Core §2.7.2.2). */
function readContextClass(context: XmlElement | undefined): string | undefined {
  const element = childOf(context, saml, 'AuthnContextClassRef');
  const text = element === undefined ? '' : simpleText(element).trim();
  if (text.length > maxContextClassLength) {
    throw new SamlError(
      'structure',
      `AuthnContextClassRef is longer than ${maxContextClassLength} characters`,
    );
  }
  return text === '' ? undefined : text;
}

function readNameId(element: XmlElement | undefined): NameId | undefined {
  if (element === undefined) return undefined;
  return {
    value: simpleText(element),
    format: element.attributes.get('Format'),
    nameQualifier: element.attributes.get('NameQualifier'),
    spNameQualifier: element.attributes.get('SPNameQualifier'),
  };
}

function readAttributes(root: XmlElement): Map<string, readonly string[]> {
  const read = new Map<string, string[]>();
  for (const statement of childrenOf(root, saml, 'AttributeStatement')) {
    for (const attribute of childrenOf(statement, saml, 'Attribute')) {
      const name = attribute.attributes.get('Name') ?? '';
      const values = childrenOf(attribute, saml, 'AttributeValue').map(attributeValue);
      read.set(name, [...(read.get(name) ?? []), ...values]);
    }
  }
  return read;
}

/**
 * The text of a value without white space at its ends, or of the NameID in it, as eduPersonTargetedID has one. A value with both is
 * rejected.
 */
function attributeValue(element: XmlElement): string {
  const { children, text } = element;
  const [nameId] = childrenOf(element, saml, 'NameID');
  const isMixed = children.length > 0 && text.trim() !== '';
  if (isMixed || (nameId !== undefined && children.length > 1)) {
    throw new SamlError('structure', 'expected text or one NameID in an AttributeValue, got more');
  }
  return (nameId === undefined ? text : simpleText(nameId)).trim();
}

function quoted(text: string | undefined): string {
  return text === undefined ? 'none' : shown(text.trim(), 200);
}
