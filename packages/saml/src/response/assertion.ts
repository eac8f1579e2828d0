import type { ServiceProvider } from '../addresses.ts';
import { SamlRefusal } from '../refusal.ts';
import { parseDateTime } from '../xml/dates.ts';
import { childOf, childrenOf, type XmlElement } from '../xml/element.ts';
import { saml } from '../xml/namespaces.ts';
import { simpleText } from './simple-text.ts';
import { requireUniqueIds } from './strict-xml.ts';

/** What an identity provider says of a person. */
export interface Assertion {
  readonly id: string;
  readonly issuer: string;
  readonly nameId: NameId | undefined;
  /** Values by the name of the attribute. */
  readonly attributes: ReadonlyMap<string, readonly string[]>;
  /** Epoch milliseconds: when the person proved who they are. */
  readonly authenticatedAt: number;
  /** AuthnContextClassRef: how the person proved it; `undefined` when that is not said. */
  readonly authnContextClass: string | undefined;
  readonly sessionIndex: string | undefined;
  /** The outermost first: who else vouched for the person, before the issuer passed it on. */
  readonly authenticatingAuthorities: readonly string[];
  /** Epoch milliseconds, without any skew. */
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
  /** Milliseconds that the clocks may differ. */
  readonly clockSkew: number;
}

const maxContextClassLength = 1024;
const bearer = 'urn:oasis:names:tc:SAML:2.0:cm:bearer';

/**
 * Reads an assertion and checks that it is about a login here, now, that this server asked for (Profiles §4.1.4.3).
 *
 * @param root as it was signed
 * @throws SamlRefusal
 */
export function readAssertion(root: XmlElement, expected: Expected): Assertion {
  if (root.namespace !== saml || root.name !== 'Assertion') {
    throw new SamlRefusal('structure', 'what was signed is no Assertion');
  }
  requireUniqueIds(root);
  const id = root.attributes.get('ID') ?? '';
  if (id === '' || root.attributes.get('Version') !== '2.0') {
    throw new SamlRefusal('structure', 'the assertion has no ID, or is not of SAML 2.0');
  }
  const issuer = simpleText(one(root, 'Issuer')).trim();
  if (issuer !== expected.issuer) {
    throw new SamlRefusal('issuer', `expected the issuer ${expected.issuer}, got ${shown(issuer)}`);
  }
  const subject = one(root, 'Subject');
  const ends = [checkConditions(one(root, 'Conditions'), expected), checkConfirmation(subject, expected)];
  const statement = one(root, 'AuthnStatement');
  const authenticatedAt = moment(statement, 'AuthnInstant');
  if (authenticatedAt > expected.now + expected.clockSkew) {
    throw new SamlRefusal('time', 'the person is said to have logged in at a time that is yet to come');
  }
  const sessionEnd = statement.attributes.has('SessionNotOnOrAfter')
    ? moment(statement, 'SessionNotOnOrAfter')
    : Number.POSITIVE_INFINITY;
  if (sessionEnd <= expected.now - expected.clockSkew) {
    throw new SamlRefusal('time', 'the session at the identity provider is over');
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
    ).map((authority) => simpleText(authority).trim()),
    notOnOrAfter: Math.min(...ends),
  };
}

/** Core §2.5.1. Answers the end. */
function checkConditions(conditions: XmlElement, { service, now, clockSkew }: Expected): number {
  const [begin, end] = [moment(conditions, 'NotBefore'), moment(conditions, 'NotOnOrAfter')];
  checkTime('Conditions', begin, end, now, clockSkew);
  const restrictions = childrenOf(conditions, saml, 'AudienceRestriction');
  const isForUs = (restriction: XmlElement) =>
    childrenOf(restriction, saml, 'Audience').some(
      (audience) => simpleText(audience).trim() === service.entityId,
    );
  if (restrictions.length === 0 || !restrictions.every(isForUs)) {
    const audiences = restrictions.flatMap(({ children }) => children.map(({ text }) => shown(text)));
    throw new SamlRefusal(
      'audience',
      `expected the audience ${service.entityId}, got ${audiences.slice(0, 5).join(', ') || 'none'}`,
    );
  }
  return end;
}

/** Profiles §4.1.4.2: one confirmation by bearer must hold whole. Answers the end of that. */
function checkConfirmation(subject: XmlElement, expected: Expected): number {
  const confirmations = childrenOf(subject, saml, 'SubjectConfirmation').filter(
    ({ attributes }) => attributes.get('Method') === bearer,
  );
  const refusals: SamlRefusal[] = [];
  for (const confirmation of confirmations) {
    try {
      return checkConfirmationData(confirmation, expected);
    } catch (error) {
      if (!(error instanceof SamlRefusal)) throw error;
      refusals.push(error);
    }
  }
  throw refusals[0] ?? new SamlRefusal('confirmation', 'there is no SubjectConfirmation by bearer');
}

function checkConfirmationData(
  confirmation: XmlElement,
  { service, inResponseTo, now, clockSkew }: Expected,
): number {
  const data = childOf(confirmation, saml, 'SubjectConfirmationData');
  if (data === undefined) throw new SamlRefusal('confirmation', 'there is no SubjectConfirmationData');
  const recipient = data.attributes.get('Recipient');
  if (recipient !== service.acs) {
    throw new SamlRefusal('recipient', `expected the recipient ${service.acs}, got ${shown(recipient)}`);
  }
  if (data.attributes.get('InResponseTo') !== inResponseTo) {
    throw new SamlRefusal('request', 'response and assertion do not answer the same request, or none');
  }
  const begin = data.attributes.has('NotBefore') ? moment(data, 'NotBefore') : Number.NEGATIVE_INFINITY;
  const end = moment(data, 'NotOnOrAfter');
  checkTime('SubjectConfirmationData', begin, end, now, clockSkew);
  return end;
}

function checkTime(what: string, begin: number, end: number, now: number, clockSkew: number): void {
  const seconds = (milliseconds: number) => Math.ceil(milliseconds / 1000);
  if (now + clockSkew < begin) {
    throw new SamlRefusal(
      'time',
      `${what} is valid in ${seconds(begin - now)} s only; do the clocks agree? clockSkew allows ${seconds(clockSkew)} s`,
    );
  }
  if (now - clockSkew >= end) {
    throw new SamlRefusal(
      'time',
      `${what} was valid until ${seconds(now - end)} s ago; do the clocks agree? clockSkew allows ${seconds(clockSkew)} s`,
    );
  }
}

function moment({ name, attributes }: XmlElement, attribute: string): number {
  const parsed = parseDateTime(attributes.get(attribute));
  if (parsed === undefined)
    throw new SamlRefusal('time', `${attribute} of ${name} is missing or no time in UTC`);
  return parsed;
}

/** The one child of this name. */
function one(root: XmlElement, name: string): XmlElement {
  const [only, ...others] = childrenOf(root, saml, name);
  if (only !== undefined && others.length === 0) return only;
  throw new SamlRefusal('structure', `the assertion must have one ${name}, and one only`);
}

/** SAML Core §2.7.2.2. */
function readContextClass(context: XmlElement | undefined): string | undefined {
  const element = childOf(context, saml, 'AuthnContextClassRef');
  const text = element === undefined ? '' : simpleText(element).trim();
  if (text.length > maxContextClassLength) {
    throw new SamlRefusal(
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

/** Of a value that is a name id, as that of eduPersonTargetedID, the text of that; no part of one that mixes both. */
function attributeValue(element: XmlElement): string {
  const { children, text } = element;
  const [nameId] = childrenOf(element, saml, 'NameID');
  const isMixed = children.length > 0 && text.trim() !== '';
  if (isMixed || (nameId !== undefined && children.length > 1)) {
    throw new SamlRefusal(
      'structure',
      'expected text or one NameID in an AttributeValue, got more than that',
    );
  }
  return nameId === undefined ? text : simpleText(nameId);
}

function shown(text: string | undefined): string {
  return text === undefined ? 'none' : JSON.stringify(text.trim().slice(0, 200));
}
