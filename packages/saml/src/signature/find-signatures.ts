import { ElementBuilder } from '../xml/element.ts';
import { ds } from '../xml/namespaces.ts';
import { type OpenTag, type XmlLimits, XmlStream } from '../xml/xml-stream.ts';
import { claimedDigest, isSignedBy } from './check-signature.ts';
import { SignatureCopy } from './signature-copy.ts';

/** A signature in a document, with its signer. The content that it covers is not verified yet. */
export interface FoundSignature {
  /** Value of the attribute `ID` of its parent element. */
  readonly parentId: string;
  /** The element by itself. */
  readonly xml: string;
  /** PEM; `undefined` when none of the certificates made it. */
  readonly signer: string | undefined;
}

/**
 * Finds the signatures in a document and the certificate of each signer. The cost is low for every document, so a sender
 * without a key of the identity provider cannot cause more work.
 *
 * @param xml a document whose signatures have the form that `signatureProblem` checks
 * @param certificates PEM
 * @throws XmlError
 */
export function findSignatures(
  xml: string,
  certificates: readonly string[],
  limits: XmlLimits,
): readonly FoundSignature[] {
  const signatures: FoundSignature[] = [];
  const open: OpenTag[] = [];
  let copy: SignatureCopy | undefined;
  let builder = new ElementBuilder();

  const stream = new XmlStream(limits, {
    open(tag) {
      const parent = open.at(-1);
      if (copy === undefined && parent !== undefined && tag.uri === ds && tag.local === 'Signature') {
        const namespaces = open.flatMap(({ ns }) => Object.entries(ns));
        copy = new SignatureCopy(parent, Object.fromEntries(namespaces));
        builder = new ElementBuilder();
      }
      if (copy === undefined) {
        open.push(tag);
      } else {
        copy.open(tag);
        builder.open(tag);
      }
    },
    text(piece) {
      copy?.text(piece);
      builder.text(piece);
    },
    close(tag) {
      if (copy === undefined) {
        open.pop();
        return;
      }
      copy.close(tag);
      const element = builder.close();
      if (builder.depth > 0) return;
      const digest = claimedDigest(element);
      const whole = copy;
      signatures.push({
        parentId: open.at(-1)?.attributes.ID?.value ?? '',
        xml: whole.signature,
        signer: certificates.find((certificate) => isSignedBy(certificate, whole, digest)),
      });
      copy = undefined;
    },
  });
  stream.write(xml);
  stream.end();
  return signatures;
}
