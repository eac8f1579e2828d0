import { createHash, createPublicKey } from 'node:crypto';
import { SignedXml } from 'xml-crypto';
import { childOf, type XmlElement } from '../xml/element.ts';
import { ds } from '../xml/namespaces.ts';
import { digestMethods, isSignature, type SignatureMethod, sha1, signatureMethods } from './algorithms.ts';
import type { SignatureCopy } from './signature-copy.ts';

/** The digest in the only reference of a signature. */
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
 * Whether the key of a certificate made a signature over an element with this digest. xml-crypto verifies it on a document
 * that has only the start tag of the element, so the cost does not depend on the size of the element.
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
 * The canonical XML that a signature in a document covers; `undefined` when the key of the certificate did not make the
 * signature, or when the content was changed. Nothing else of the document is signed.
 *
 * @param certificate PEM
 * @param signature the element by itself; its form has been checked
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

/** The content that xml-crypto finds to be signed. A signature that xml-crypto cannot process is not valid. */
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

/** Replaces the methods of xml-crypto, which has no ECDSA and accepts keys of any type. */
function signatureAlgorithm(algorithm: string, method: SignatureMethod) {
  return class {
    verifySignature = (signedInfo: string, certificate: string, signature: string) =>
      isSignature(Buffer.from(signature, 'base64'), signedInfo, createPublicKey(certificate), method);
    getSignature = () => {
      throw new Error('this module verifies signatures and makes none');
    };
    getAlgorithmName = () => algorithm;
  };
}
