import { shown } from '@watchword/protocol';
import { SamlError } from '../saml-error.ts';
import { type AlgorithmPolicy, signatureProblem } from '../signature/signature-rules.ts';
import { childOf, childrenOf, withDescendants, type XmlElement } from '../xml/element.ts';
import { ds, saml, samlp } from '../xml/namespaces.ts';
import { type EncryptionPolicy, requireEncryptionForm } from './encryption-rules.ts';
import { simpleText } from './simple-text.ts';
import { requireUniqueIds, strictXml } from './strict-xml.ts';

/** A response whose form has been checked. Its signature is not verified, so no value of it can be trusted. */
export interface ScreenedResponse {
  readonly xml: string;
  /** The issuer of the response, or of its assertion if the response has none. */
  readonly issuer: string | undefined;
  readonly destination: string | undefined;
  readonly inResponseTo: string | undefined;
  readonly isSigned: boolean;
  /** Whether its assertion is signed; `undefined` for an encrypted assertion. */
  readonly isAssertionSigned: boolean | undefined;
  readonly encryptedAssertion: XmlElement | undefined;
}

export type ScreenPolicy = AlgorithmPolicy & EncryptionPolicy;

const success = 'urn:oasis:names:tc:SAML:2.0:status:Success';

/**
 * Checks the form of a response before its signatures are verified. It must have exactly one assertion in its regular place,
 * and each signature must cover the element that contains it. This prevents signature wrapping.
 *
 * @throws SamlError
 */
export function screenResponse(xml: string, policy: ScreenPolicy): ScreenedResponse {
  const root = strictXml(xml);
  if (root.namespace !== samlp || root.name !== 'Response') {
    throw new SamlError('structure', 'the message is not a Response');
  }
  requireUniqueIds(root);
  requireSuccess(root);
  const assertions = childrenOf(root, saml, 'Assertion');
  const encrypted = childrenOf(root, saml, 'EncryptedAssertion');
  if (assertions.length + encrypted.length !== 1) {
    throw new SamlError('structure', 'expected exactly one assertion in the response');
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

/** Checks the form of a decrypted assertion. Returns whether the assertion is signed. @throws SamlError */
export function screenDecrypted(xml: string, policy: AlgorithmPolicy): boolean {
  const root = strictXml(xml);
  if (root.namespace !== saml || root.name !== 'Assertion') {
    throw new SamlError('structure', 'the decrypted element is not an Assertion');
  }
  requireUniqueIds(root);
  requireOnly(root, [root], [root]);
  return hasSignature(root, policy);
}

/** A status of error ends the login, even unsigned: an attacker gains nothing by a false error. */
function requireSuccess(root: XmlElement): void {
  const outer = childOf(childOf(root, samlp, 'Status'), samlp, 'StatusCode');
  const codes = [outer, childOf(outer, samlp, 'StatusCode')].map(
    (code) => code?.attributes.get('Value') ?? '',
  );
  if (codes[0] === success) return;
  const status = codes.map((code) => code.slice(code.lastIndexOf(':') + 1, 100)).join(' ');
  throw new SamlError(
    'status',
    `the identity provider answered with the status ${shown(status.trim(), 200)}`,
  );
}

/**
 * Rejects an assertion, response or signature outside its regular place, in every namespace.
 *
 * @param signed the elements that can have a signature as a child
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
      throw new SamlError('structure', `there is another ${element.name} in a place that is not allowed`);
    }
  }
}

function hasSignature(element: XmlElement, policy: AlgorithmPolicy): boolean {
  const signatures = childrenOf(element, ds, 'Signature');
  for (const signature of signatures) {
    const problem = signatureProblem(signature, element.attributes.get('ID') ?? '', policy);
    if (problem !== undefined)
      throw new SamlError(problem.check, `of the ${element.name}: ${problem.detail}`);
  }
  if (signatures.length > 1) throw new SamlError('signature', `the ${element.name} is signed twice`);
  return signatures.length === 1;
}
