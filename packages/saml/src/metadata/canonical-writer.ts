import { escapeAttribute, escapeText } from '../xml/escape.ts';
import { xmlns } from '../xml/namespaces.ts';
import type { OpenTag, XmlAttribute } from '../xml/xml-stream.ts';
import { byCodePoint } from './code-point-order.ts';
import { RenderedNamespaces } from './rendered-namespaces.ts';

/**
 * Writes the events of the parser as Exclusive XML Canonicalization 1.0, without comments. The metadata of a federation has
 * tens of megabytes, so it is never in memory as a whole tree. The identity providers and the digest come from the same
 * events, so unsigned content cannot be used.
 */
export class CanonicalWriter {
  readonly #write: (text: string) => void;
  readonly #inclusivePrefixes: ReadonlySet<string>;
  readonly #rendered = new RenderedNamespaces();

  /** @param inclusivePrefixes `PrefixList` of the transform, `#default` for the default namespace */
  constructor(write: (text: string) => void, inclusivePrefixes: readonly string[] = []) {
    this.#write = write;
    this.#inclusivePrefixes = new Set(
      inclusivePrefixes.map((prefix) => (prefix === '#default' ? '' : prefix)),
    );
  }

  open(tag: OpenTag): void {
    const attributes = Object.values(tag.attributes).filter(({ uri }) => uri !== xmlns);
    let text = `<${tag.name}`;
    for (const [prefix, uri] of this.#declarationsOf(tag, attributes)) {
      text +=
        prefix === '' ? ` xmlns="${escapeAttribute(uri)}"` : ` xmlns:${prefix}="${escapeAttribute(uri)}"`;
    }
    for (const { name, value } of attributes.sort(byNamespace))
      text += ` ${name}="${escapeAttribute(value)}"`;
    this.#write(`${text}>`);
  }

  close(tag: OpenTag): void {
    this.#rendered.leave();
    this.#write(`</${tag.name}>`);
  }

  text(text: string): void {
    this.#write(escapeText(text));
  }

  /** The declarations of prefixes that the tag visibly uses and that no ancestor has declared (Exclusive C14N §3). */
  #declarationsOf(tag: OpenTag, attributes: readonly XmlAttribute[]): readonly [string, string][] {
    const declared: [prefix: string, uri: string][] = [];
    const declare = (prefix: string, uri: string) => {
      if (prefix === 'xml' || this.#rendered.get(prefix) === uri) return;
      this.#rendered.set(prefix, uri);
      declared.push([prefix, uri]);
    };
    this.#rendered.enter();
    declare(tag.prefix, tag.uri);
    for (const { prefix, uri } of attributes) if (prefix !== '') declare(prefix, uri);
    // An ancestor has written its own declarations, so only a declaration of this element can be new.
    if (this.#inclusivePrefixes.size > 0) {
      for (const [prefix, uri] of Object.entries(tag.ns)) {
        if (this.#inclusivePrefixes.has(prefix)) declare(prefix, uri);
      }
    }
    return declared.sort(([a], [b]) => byCodePoint(a, b));
  }
}

/** By namespace, then by local name; attributes without a namespace come first (Canonical XML 1.0 §2.2). */
function byNamespace(a: XmlAttribute, b: XmlAttribute): number {
  return byCodePoint(a.uri, b.uri) || byCodePoint(a.local, b.local);
}
