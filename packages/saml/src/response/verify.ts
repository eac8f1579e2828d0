import { toPem } from '../metadata/certificate.ts';
import type { IdentityProvider } from '../metadata/identity-provider.ts';
import type { KeyPair } from '../options/keys.ts';
import { SamlError } from '../saml-error.ts';
import { signedContent } from '../signature/check-signature.ts';
import { findSignatures } from '../signature/find-signatures.ts';
import { childrenOf, type XmlElement } from '../xml/element.ts';
import { saml } from '../xml/namespaces.ts';
import { decryptAssertion } from './decrypt.ts';
import type { ScreenedResponse, ScreenPolicy } from './screen.ts';
import { messageLimits, strictXml } from './strict-xml.ts';

export interface VerifierDependencies {
  readonly policy: ScreenPolicy;
  readonly requireSigned: 'any' | 'assertion' | 'response' | 'both';
  readonly encryption: readonly KeyPair[];
}

/**
 * Verifies the signatures of a response and resolves with the signed assertion. There must be at least one signature, and
 * all of them must be valid. Later checks use only the returned element.
 *
 * @throws SamlError
 */
export async function verifyResponse(
  response: ScreenedResponse,
  provider: IdentityProvider,
  { requireSigned, encryption, policy }: VerifierDependencies,
): Promise<XmlElement> {
  const certificates = provider.certificates.map(toPem);
  if (response.encryptedAssertion === undefined) {
    requireSignatures(response.isSigned, response.isAssertionSigned === true, requireSigned);
    const signed = signedElements(response.xml, certificates);
    return named(signed, 'Assertion')?.element ?? assertionIn(named(signed, 'Response'));
  }
  // If the response is signed, its signed content is decrypted. Otherwise the decrypted assertion must have a signature.
  const whole = named(signedElements(response.xml, certificates), 'Response');
  const decrypted = await decryptAssertion(whole?.xml ?? response.xml, encryption, policy);
  requireSignatures(response.isSigned, decrypted.isSigned, requireSigned);
  const assertion = named(signedElements(decrypted.xml, certificates), 'Assertion');
  return assertion?.element ?? strictXml(decrypted.xml);
}

/** The element that a signature covers: as canonical XML, and parsed. */
interface SignedElement {
  readonly xml: string;
  readonly element: XmlElement;
}

/**
 * The signed element of each signature in a document. The signer of every signature is checked first, at low cost. The digest
 * of the content takes long enough to delay other requests, and only a holder of the identity provider's key gets so far.
 */
function signedElements(document: string, certificates: readonly string[]): readonly SignedElement[] {
  const signatures = findSignatures(document, certificates, messageLimits);
  if (signatures.some(({ signer }) => signer === undefined)) throw wrongSignature();
  return signatures.map(({ signer = '', xml: signature, parentId }) => {
    const xml = signedContent(signer, signature, document);
    const element = xml === undefined ? undefined : strictXml(xml);
    if (xml === undefined || element?.attributes.get('ID') !== parentId) throw wrongSignature();
    return { xml, element };
  });
}

function named(elements: readonly SignedElement[], name: string): SignedElement | undefined {
  return elements.find(({ element }) => element.name === name);
}

function assertionIn(response: SignedElement | undefined): XmlElement {
  const [assertion, ...others] = childrenOf(response?.element, saml, 'Assertion');
  if (assertion === undefined || others.length > 0) throw wrongSignature();
  return assertion;
}

function requireSignatures(
  isResponseSigned: boolean,
  isAssertionSigned: boolean,
  required: VerifierDependencies['requireSigned'],
): void {
  if (!isResponseSigned && !isAssertionSigned) {
    throw new SamlError('signature', 'neither the response nor its assertion is signed');
  }
  const missing = [
    ...(isResponseSigned || required === 'any' || required === 'assertion' ? [] : ['response']),
    ...(isAssertionSigned || required === 'any' || required === 'response' ? [] : ['assertion']),
  ];
  if (missing.length === 0) return;
  throw new SamlError('signature', `requireSigned is ${required}, but the ${missing[0]} is not signed`);
}

function wrongSignature(): SamlError {
  return new SamlError(
    'signature',
    'no certificate of the identity provider fits the signature, or the content was changed after it was signed',
  );
}
