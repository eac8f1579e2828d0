import { toPem } from '../metadata/certificate.ts';
import type { IdentityProvider } from '../metadata/identity-provider.ts';
import type { KeyPair } from '../options/keys.ts';
import { SamlRefusal } from '../refusal.ts';
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
 * Checks the signatures of a response; resolves with its assertion as it was signed. Every signature that is there must be
 * right, and one must be there. What an assertion says is checked afterwards, on that and nothing else.
 *
 * @throws SamlRefusal
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
  // Of a response that is signed, what was signed is decrypted; of any other, it is yet to be seen who made it.
  const whole = named(signedElements(response.xml, certificates), 'Response');
  const decrypted = await decryptAssertion(whole?.xml ?? response.xml, encryption, policy);
  requireSignatures(response.isSigned, decrypted.isSigned, requireSigned);
  const assertion = named(signedElements(decrypted.xml, certificates), 'Assertion');
  return assertion?.element ?? strictXml(decrypted.xml);
}

/** What a signature is about: as XML, canonical, and read. */
interface SignedElement {
  readonly xml: string;
  readonly element: XmlElement;
}

/**
 * What was signed in a document, for each signature in it. First it is looked at who made them: to check what was signed
 * takes long enough to keep others waiting, and whoever has no key of the identity provider's does not get as far.
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
    throw new SamlRefusal('signature', 'neither the response nor its assertion is signed');
  }
  const missing = [
    ...(isResponseSigned || required === 'any' || required === 'assertion' ? [] : ['response']),
    ...(isAssertionSigned || required === 'any' || required === 'response' ? [] : ['assertion']),
  ];
  if (missing.length === 0) return;
  throw new SamlRefusal('signature', `requireSigned is ${required}, and the ${missing[0]} is not signed`);
}

function wrongSignature(): SamlRefusal {
  return new SamlRefusal(
    'signature',
    'no certificate of the identity provider made the signature, or what was signed was changed',
  );
}
