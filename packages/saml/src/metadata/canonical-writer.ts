import { escapeAttribute, escapeText } from '../xml/escape.ts';
import { xmlns } from '../xml/namespaces.ts';
import type { OpenTag, XmlAttribute } from '../xml/xml-stream.ts';

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

/**
 * Compares by code points, the order of canonicalization (Canonical XML 1.0 §1.1). JavaScript compares UTF-16 code units,
 * which puts characters above U+FFFF before some characters below it.
 */
function byCodePoint(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index += 1) {
    const [left, right] = [a.charCodeAt(index), b.charCodeAt(index)];
    if (left !== right) return ranked(left) - ranked(right);
  }
  return a.length - b.length;
}

/** Ranks surrogates, the halves of characters above U+FFFF, last. */
function ranked(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

/**
 * The namespaces in scope in the output, by prefix. Each element records its own changes, and its end reverts them. So the
 * cost of an element depends on its own declarations, not on those of its ancestors.
 */
class RenderedNamespaces {
  readonly #current = new Map<string, string>();
  /** For each open element, the innermost last: the values before its changes. */
  readonly #before: (readonly [prefix: string, uri: string])[][] = [];

  /** `''` for a prefix without a namespace: none was written, or the default namespace was undeclared. */
  get(prefix: string): string {
    return this.#current.get(prefix) ?? '';
  }

  /** An element begins. */
  enter(): void {
    this.#before.push([]);
  }

  /** Declares a prefix until the element ends; call it at most once for each prefix. */
  set(prefix: string, uri: string): void {
    this.#before.at(-1)?.push([prefix, this.get(prefix)]);
    this.#current.set(prefix, uri);
  }

  /** The element ends. */
  leave(): void {
    for (const [prefix, uri] of this.#before.pop() ?? []) this.#current.set(prefix, uri);
  }
}
