import { ElementBuilder } from '../xml/element.ts';
import { ds } from '../xml/namespaces.ts';
import { type OpenTag, type XmlLimits, XmlStream } from '../xml/xml-stream.ts';
import { claimedDigest, isSignedBy } from './check-signature.ts';
import { SignatureCopy } from './signature-copy.ts';

/**
 * Which of the certificates made each signature in a document, `undefined` for one that none of them made. What was signed
 * is not looked at: this costs little, whatever somebody sends, and whoever has no key gets no further.
 *
 * @param xml of which each signature was found to have the right form
 * @param certificates PEM
 * @throws XmlFault
 */
export function signersOf(
  xml: string,
  certificates: readonly string[],
  limits: XmlLimits,
): readonly (string | undefined)[] {
  const signers: (string | undefined)[] = [];
  const open: { readonly tag: OpenTag; readonly namespaces: Readonly<Record<string, string>> }[] = [];
  let copy: SignatureCopy | undefined;
  let builder = new ElementBuilder();

  const stream = new XmlStream(limits, {
    open(tag) {
      const parent = open.at(-1);
      if (copy === undefined && parent !== undefined && tag.uri === ds && tag.local === 'Signature') {
        copy = new SignatureCopy(parent.tag, parent.namespaces);
        builder = new ElementBuilder();
      }
      if (copy === undefined) {
        open.push({ tag, namespaces: { ...parent?.namespaces, ...tag.ns } });
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
      signers.push(certificates.find((certificate) => isSignedBy(certificate, whole, digest)));
      copy = undefined;
    },
  });
  stream.write(xml);
  stream.end();
  return signers;
}
