import { SignedXml } from 'xml-crypto';
import { childOf, type XmlElement } from '../xml/element.ts';
import { ds } from '../xml/namespaces.ts';
import type { SignatureCopy } from './signature-copy.ts';

/** What the one reference of a signature says of its digest. */
export interface ReferenceDigest {
  readonly algorithm: string;
  /** Base64. */
  readonly value: string;
}

export function claimedDigest(signature: XmlElement): ReferenceDigest {
  const reference = childOf(childOf(signature, ds, 'SignedInfo'), ds, 'Reference');
  return {
    algorithm: childOf(reference, ds, 'DigestMethod')?.attributes.get('Algorithm') ?? '',
    value: childOf(reference, ds, 'DigestValue')?.text.trim() ?? '',
  };
}

/**
 * Whether the key of a certificate made a signature over an element with this digest. It is checked by xml-crypto, on
 * a document that has nothing of the element but its start, so that it costs the same however large the element is.
 *
 * @param certificate PEM
 */
export function isSignedBy(certificate: string, copy: SignatureCopy, digest: ReferenceDigest): boolean {
  const { algorithm, value } = digest;
  const signedXml = new SignedXml({ publicCert: certificate });
  signedXml.HashAlgorithms = {
    [algorithm]: class {
      getHash = () => value;
      getAlgorithmName = () => algorithm;
    },
  } as typeof signedXml.HashAlgorithms;
  try {
    signedXml.loadSignature(copy.signature);
    return signedXml.checkSignature(copy.skeleton);
  } catch {
    return false;
  }
}
