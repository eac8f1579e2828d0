import { createHash, createPublicKey } from 'node:crypto';
import { SignedXml } from 'xml-crypto';
import { childOf, type XmlElement } from '../xml/element.ts';
import { ds } from '../xml/namespaces.ts';
import { digestMethods, isSignature, type SignatureMethod, sha1, signatureMethods } from './algorithms.ts';
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
export function isSignedBy(
  certificate: string,
  copy: SignatureCopy,
  { algorithm, value }: ReferenceDigest,
): boolean {
  const digested = new Map([[algorithm, () => value]]);
  return referenced(certificate, copy.signature, copy.skeleton, digested) !== undefined;
}

/**
 * The canonical XML that a signature in a document is about; `undefined` when the key of the certificate did not make the
 * signature, or not over this. Nothing else of the document was signed.
 *
 * @param certificate PEM
 * @param signature the element by itself, found to have the right form
 */
export function signedContent(certificate: string, signature: string, xml: string): string | undefined {
  return referenced(certificate, signature, xml, hashes);
}

type Hash = (xml: string) => string;

const hashes: ReadonlyMap<string, Hash> = new Map(
  [...digestMethods, ...sha1.digestMethods].map(([algorithm, hash]) => [
    algorithm,
    (xml) => createHash(hash).update(xml).digest('base64'),
  ]),
);

/** What xml-crypto finds to be signed. Whatever it stumbles over, a signature that it cannot check is none. */
function referenced(
  certificate: string,
  signature: string,
  xml: string,
  digests: ReadonlyMap<string, Hash>,
): string | undefined {
  const signedXml = new SignedXml({ publicCert: certificate });
  signedXml.SignatureAlgorithms = signatureAlgorithms;
  signedXml.HashAlgorithms = Object.fromEntries(
    [...digests].map(([algorithm, getHash]) => [algorithm, hashAlgorithm(algorithm, getHash)]),
  ) as typeof signedXml.HashAlgorithms;
  try {
    signedXml.loadSignature(signature);
    if (!signedXml.checkSignature(xml)) return undefined;
    const [content, ...others] = signedXml.getSignedReferences();
    return others.length === 0 ? content : undefined;
  } catch {
    return undefined;
  }
}

function hashAlgorithm(algorithm: string, getHash: Hash) {
  return class {
    getHash = getHash;
    getAlgorithmName = () => algorithm;
  };
}

const signatureAlgorithms = Object.fromEntries(
  [...signatureMethods, ...sha1.signatureMethods].map(([algorithm, method]) => [
    algorithm,
    signatureAlgorithm(algorithm, method),
  ]),
) as SignedXml['SignatureAlgorithms'];

/** A method of ours in place of those of xml-crypto, which knows no ECDSA and takes keys of any type. */
function signatureAlgorithm(algorithm: string, method: SignatureMethod) {
  return class {
    verifySignature = (signedInfo: string, certificate: string, signature: string) =>
      isSignature(Buffer.from(signature, 'base64'), signedInfo, createPublicKey(certificate), method);
    getSignature = () => {
      throw new Error('signatures are only checked here');
    };
    getAlgorithmName = () => algorithm;
  };
}
