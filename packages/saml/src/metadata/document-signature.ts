import { createHash, type Hash } from 'node:crypto';
import { hashOf } from '../signature/algorithms.ts';
import { claimedDigest, isSignedBy, type ReferenceDigest } from '../signature/check-signature.ts';
import { SignatureCopy } from '../signature/signature-copy.ts';
import { type AlgorithmPolicy, exclusive, signatureFault } from '../signature/signature-rules.ts';
import { childOf, ElementBuilder, type XmlElement } from '../xml/element.ts';
import { ds } from '../xml/namespaces.ts';
import type { OpenTag } from '../xml/xml-stream.ts';
import { CanonicalWriter } from './canonical-writer.ts';
import { MetadataFault } from './metadata-fault.ts';

/**
 * Checks the signature over a document that is too large for a tree, while it is read. The document is digested on its
 * way; the signature over the digest is checked by xml-crypto. As the schema of metadata demands, the signature is the
 * root's first child.
 */
export class DocumentSignature {
  readonly #policy: AlgorithmPolicy;
  readonly #builder = new ElementBuilder();
  /** What came before the signature, to be digested once the signature said how. */
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

  /** @param certificates PEM @throws MetadataFault unless one of them made the signature over exactly what was read */
  verify(certificates: readonly string[]): void {
    const copy = this.#copy;
    if (copy === undefined || this.#digest === undefined) throw new MetadataFault('it is not signed');
    const { algorithm, hash } = this.#digest;
    const digest: ReferenceDigest = { algorithm, value: hash.digest('base64') };
    if (certificates.some((certificate) => isSignedBy(certificate, copy, digest))) return;
    throw new MetadataFault('its signature is not by one of the signingCertificates, or it was changed');
  }

  #openInSignature(tag: OpenTag): void {
    if (this.#depth === 2 && this.#root !== undefined) {
      if (tag.uri !== ds || tag.local !== 'Signature') {
        throw new MetadataFault('it is not signed: the first element in it is not a signature');
      }
      this.#copy = new SignatureCopy(this.#root, this.#root.ns);
    }
    this.#copy?.open(tag);
    this.#builder.open(tag);
  }

  #startDigest(signature: XmlElement): void {
    const fault = signatureFault(signature, this.#root?.attributes.ID?.value ?? '', this.#policy);
    if (fault !== undefined) throw new MetadataFault(`its signature is not acceptable: ${fault.detail}`);
    const reference = childOf(childOf(signature, ds, 'SignedInfo'), ds, 'Reference');
    const transform = childOf(reference, ds, 'Transforms')?.children[1];
    if (transform?.attributes.get('Algorithm') !== exclusive) {
      throw new MetadataFault('its signature must use Exclusive XML Canonicalization');
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
