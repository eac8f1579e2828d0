import { escapeAttribute, escapeText } from '../xml/escape.ts';
import type { OpenTag, XmlAttribute } from '../xml/xml-stream.ts';

/**
 * Writes what is read as Exclusive XML Canonicalization 1.0 without comments, piece by piece: of a federation's
 * metadata, tens of megabytes, there is never a whole tree. What is extracted and what is digested come from the same
 * events.
 */
export class CanonicalWriter {
  readonly #write: (text: string) => void;
  readonly #inclusivePrefixes: readonly string[];
  /** Prefixes and namespaces that were written and hold here, innermost last. */
  readonly #rendered: Map<string, string>[] = [];
  /** Prefixes and namespaces that hold here, written or not; kept only where prefixes are to be inclusive. */
  readonly #inScope: Readonly<Record<string, string>>[] = [];

  /** @param inclusivePrefixes `PrefixList` of the transform, `#default` for the default namespace */
  constructor(write: (text: string) => void, inclusivePrefixes: readonly string[] = []) {
    this.#write = write;
    this.#inclusivePrefixes = inclusivePrefixes.map((prefix) => (prefix === '#default' ? '' : prefix));
  }

  open(tag: OpenTag): void {
    const attributes = Object.values(tag.attributes).filter(({ uri }) => uri !== xmlns);
    const namespaces = this.#namespacesOf(tag, attributes);
    let text = `<${tag.name}`;
    for (const [prefix, uri] of namespaces) {
      text +=
        prefix === '' ? ` xmlns="${escapeAttribute(uri)}"` : ` xmlns:${prefix}="${escapeAttribute(uri)}"`;
    }
    for (const { name, value } of attributes.sort(byNamespace))
      text += ` ${name}="${escapeAttribute(value)}"`;
    this.#write(`${text}>`);
  }

  close(tag: OpenTag): void {
    this.#rendered.pop();
    this.#inScope.pop();
    this.#write(`</${tag.name}>`);
  }

  text(text: string): void {
    this.#write(escapeText(text));
  }

  /** The declarations to be written here: of what is used visibly and not written further out. */
  #namespacesOf(tag: OpenTag, attributes: readonly XmlAttribute[]): readonly [string, string][] {
    const outer = this.#rendered.at(-1) ?? none;
    const declared = new Map<string, string>();
    const declare = (prefix: string, uri: string) => {
      if (prefix !== 'xml' && (outer.get(prefix) ?? '') !== uri) declared.set(prefix, uri);
    };
    declare(tag.prefix, tag.uri);
    for (const { prefix, uri } of attributes) if (prefix !== '') declare(prefix, uri);
    if (this.#inclusivePrefixes.length > 0) {
      this.#inScope.push({ ...this.#inScope.at(-1), ...tag.ns });
      for (const prefix of this.#inclusivePrefixes) {
        const uri = this.#inScope.at(-1)?.[prefix];
        if (uri !== undefined) declare(prefix, uri);
      }
    }
    this.#rendered.push(declared.size === 0 ? outer : new Map([...outer, ...declared]));
    return [...declared].sort(([a], [b]) => (a < b ? -1 : 1));
  }
}

const xmlns = 'http://www.w3.org/2000/xmlns/';
const none: Map<string, string> = new Map();

/** By namespace, then by local name; those in no namespace come first (Canonical XML 1.0 §2.2). */
function byNamespace(a: XmlAttribute, b: XmlAttribute): number {
  if (a.uri !== b.uri) return a.uri < b.uri ? -1 : 1;
  return a.local < b.local ? -1 : 1;
}
