import { SamlRefusal } from '../refusal.ts';
import { type AlgorithmPolicy, signatureFault } from '../signature/signature-rules.ts';
import { childOf, childrenOf, withDescendants, type XmlElement } from '../xml/element.ts';
import { ds, saml, samlp } from '../xml/namespaces.ts';
import { type EncryptionPolicy, requireEncryptionForm } from './encryption-rules.ts';
import { simpleText } from './simple-text.ts';
import { requireUniqueIds, strictXml } from './strict-xml.ts';

/** A response whose form is right. Nothing of it is true yet. */
export interface ScreenedResponse {
  readonly xml: string;
  /** Of the response or, where it names none, of its assertion. */
  readonly issuer: string | undefined;
  readonly destination: string | undefined;
  readonly inResponseTo: string | undefined;
  readonly isSigned: boolean;
  /** Whether its assertion is signed; `undefined` while that is encrypted. */
  readonly isAssertionSigned: boolean | undefined;
  readonly encryptedAssertion: XmlElement | undefined;
}

export type ScreenPolicy = AlgorithmPolicy & EncryptionPolicy;

const success = 'urn:oasis:names:tc:SAML:2.0:status:Success';

/**
 * Looks at the form of a response before anybody looks at its signatures: one assertion, in its one place; signatures only
 * where they are about the element that they are in. So there is nothing that could be wrapped around, moved or hidden.
 *
 * @throws SamlRefusal
 */
export function screenResponse(xml: string, policy: ScreenPolicy): ScreenedResponse {
  const root = strictXml(xml);
  if (root.namespace !== samlp || root.name !== 'Response') {
    throw new SamlRefusal('structure', 'the message is no Response');
  }
  requireUniqueIds(root);
  requireSuccess(root);
  const assertions = childrenOf(root, saml, 'Assertion');
  const encrypted = childrenOf(root, saml, 'EncryptedAssertion');
  if (assertions.length + encrypted.length !== 1) {
    throw new SamlRefusal('structure', 'the response must have one assertion, and one only');
  }
  const [assertion] = assertions;
  const [encryptedAssertion] = encrypted;
  requireOnly(root, [assertion, encryptedAssertion], [root, assertion]);
  if (encryptedAssertion !== undefined) requireEncryptionForm(encryptedAssertion, policy);
  const issuer = childOf(root, saml, 'Issuer') ?? childOf(assertion, saml, 'Issuer');
  return {
    xml,
    issuer: issuer && simpleText(issuer).trim(),
    destination: root.attributes.get('Destination'),
    inResponseTo: root.attributes.get('InResponseTo'),
    isSigned: hasSignature(root, policy),
    isAssertionSigned: assertion && hasSignature(assertion, policy),
    encryptedAssertion,
  };
}

/** The same for an assertion that was encrypted; answers whether it is signed. @throws SamlRefusal */
export function screenDecrypted(xml: string, policy: AlgorithmPolicy): boolean {
  const root = strictXml(xml);
  if (root.namespace !== saml || root.name !== 'Assertion') {
    throw new SamlRefusal('structure', 'what was encrypted is no Assertion');
  }
  requireUniqueIds(root);
  requireOnly(root, [root], [root]);
  return hasSignature(root, policy);
}

/** An error is told by the identity provider, and by whoever likes to: it is believed as far as that nobody is let in. */
function requireSuccess(root: XmlElement): void {
  const outer = childOf(childOf(root, samlp, 'Status'), samlp, 'StatusCode');
  const codes = [outer, childOf(outer, samlp, 'StatusCode')].map(
    (code) => code?.attributes.get('Value') ?? '',
  );
  if (codes[0] === success) return;
  const shown = codes.map((code) => code.slice(code.lastIndexOf(':') + 1, 100)).join(' ');
  throw new SamlRefusal(
    'status',
    `the identity provider answered with the status ${JSON.stringify(shown.trim())}`,
  );
}

/**
 * There is no other assertion, response or signature anywhere than where they belong, whatever namespace they claim.
 *
 * @param signed the elements whose child may be a signature
 */
function requireOnly(
  root: XmlElement,
  assertions: readonly (XmlElement | undefined)[],
  signed: readonly (XmlElement | undefined)[],
): void {
  const signatures = signed.flatMap((element) => childrenOf(element, ds, 'Signature'));
  const inPlace = new Set<XmlElement | undefined>([root, ...assertions, ...signatures]);
  for (const element of withDescendants(root)) {
    const isSpecial = /^(?:Assertion|EncryptedAssertion|Response|Signature)$/i.test(element.name);
    if (isSpecial && !inPlace.has(element)) {
      throw new SamlRefusal('structure', `there is another ${element.name} where none belongs`);
    }
  }
}

function hasSignature(element: XmlElement, policy: AlgorithmPolicy): boolean {
  const signatures = childrenOf(element, ds, 'Signature');
  for (const signature of signatures) {
    const fault = signatureFault(signature, element.attributes.get('ID') ?? '', policy);
    if (fault !== undefined) throw new SamlRefusal(fault.check, `of the ${element.name}: ${fault.detail}`);
  }
  if (signatures.length > 1) throw new SamlRefusal('signature', `the ${element.name} is signed twice`);
  return signatures.length === 1;
}
