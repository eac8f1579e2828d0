import { createHash, type Hash } from 'node:crypto';
import { hashOf } from '../signature/algorithms.ts';
import { claimedDigest, isSignedBy, type ReferenceDigest } from '../signature/check-signature.ts';
import { SignatureCopy } from '../signature/signature-copy.ts';
import { type AlgorithmPolicy, exclusive, signatureProblem } from '../signature/signature-rules.ts';
import { childOf, ElementBuilder, type XmlElement } from '../xml/element.ts';
import { ds } from '../xml/namespaces.ts';
import type { OpenTag } from '../xml/xml-stream.ts';
import { CanonicalWriter } from './canonical-writer.ts';
import { MetadataError } from './metadata-error.ts';

/**
 * Verifies the signature of a document while it is read, because the document is too large for a tree. This class computes
 * the digest of the document, and xml-crypto verifies the signature over the digest. The signature must be the first child
 * of the root, as the metadata schema requires (Metadata §2.3.1).
 */
export class DocumentSignature {
  readonly #policy: AlgorithmPolicy;
  readonly #builder = new ElementBuilder();
  /** Events before the signature. They are digested as soon as the signature has named the algorithm. */
  #before: ((writer: CanonicalWriter) => void)[] = [];
  #root: OpenTag | undefined;
  #copy: SignatureCopy | undefined;
  #digest: { readonly algorithm: string; readonly hash: Hash; readonly writer: CanonicalWriter } | undefined;
  #depth = 0;

  constructor(policy: AlgorithmPolicy) {
    this.#policy = policy;
  }

  open(tag: OpenTag): void {
    this.#depth += 1;
    if (this.#depth === 1) {
      this.#root = tag;
      this.#before.push((writer) => writer.open(tag));
    } else if (this.#digest !== undefined) {
      this.#digest.writer.open(tag);
    } else {
      this.#openInSignature(tag);
    }
  }

  text(piece: string): void {
    if (this.#digest !== undefined) {
      this.#digest.writer.text(piece);
    } else if (this.#depth === 1) {
      this.#before.push((writer) => writer.text(piece));
    } else {
      this.#copy?.text(piece);
      this.#builder.text(piece);
    }
  }

  close(tag: OpenTag): void {
    this.#depth -= 1;
    if (this.#digest !== undefined) {
      this.#digest.writer.close(tag);
    } else if (this.#depth > 0) {
      this.#copy?.close(tag);
      const signature = this.#builder.close();
      if (this.#depth === 1) this.#startDigest(signature);
    }
  }

  /** @param certificates PEM @throws MetadataError unless the key of one of them signed exactly the document that was read */
  verify(certificates: readonly string[]): void {
    const copy = this.#copy;
    if (copy === undefined || this.#digest === undefined) throw new MetadataError('it is not signed');
    const { algorithm, hash } = this.#digest;
    const digest: ReferenceDigest = { algorithm, value: hash.digest('base64') };
    if (certificates.some((certificate) => isSignedBy(certificate, copy, digest))) return;
    throw new MetadataError(
      'none of the signingCertificates signed it, or it was changed after it was signed',
    );
  }

  #openInSignature(tag: OpenTag): void {
    if (this.#depth === 2 && this.#root !== undefined) {
      if (tag.uri !== ds || tag.local !== 'Signature') {
        throw new MetadataError('it is not signed: its first element is not a signature');
      }
      this.#copy = new SignatureCopy(this.#root, this.#root.ns);
    }
    this.#copy?.open(tag);
    this.#builder.open(tag);
  }

  #startDigest(signature: XmlElement): void {
    const problem = signatureProblem(signature, this.#root?.attributes.ID?.value ?? '', this.#policy);
    if (problem !== undefined) throw new MetadataError(`its signature is not acceptable: ${problem.detail}`);
    const reference = childOf(childOf(signature, ds, 'SignedInfo'), ds, 'Reference');
    const transform = childOf(reference, ds, 'Transforms')?.children[1];
    if (transform?.attributes.get('Algorithm') !== exclusive) {
      throw new MetadataError('its signature must use Exclusive XML Canonicalization');
    }
    const { algorithm } = claimedDigest(signature);
    const hash = createHash(hashOf(algorithm) ?? '');
    const prefixes = transform.children[0]?.attributes.get('PrefixList') ?? '';
    const writer = new CanonicalWriter(
      (text) => hash.update(text),
      prefixes.split(/\s+/).filter((prefix) => prefix !== ''),
    );
    for (const write of this.#before) write(writer);
    this.#before = [];
    this.#digest = { algorithm, hash, writer };
  }
}
