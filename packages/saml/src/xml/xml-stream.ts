import { type SaxesAttributeNS, SaxesParser, type SaxesTagNS } from 'saxes';
import { xmlns } from './namespaces.ts';
import { XmlFault } from './xml-fault.ts';

export type OpenTag = Readonly<SaxesTagNS>;
export type XmlAttribute = Readonly<SaxesAttributeNS>;

export interface XmlHandler {
  open(tag: OpenTag): void;
  /** Called for empty elements too. */
  close(tag: OpenTag): void;
  /** Text of the document element and what is in it, in pieces; references are resolved. */
  text(text: string): void;
}

export interface XmlLimits {
  readonly depth: number;
  readonly elements: number;
  /** Of one element, declarations of namespaces included. */
  readonly attributes: number;
  readonly allAttributes: number;
  /** Comments are skipped; else they are a fault. */
  readonly allowComments: boolean;
}

/**
 * Reads XML piece by piece, and of XML only what SAML needs: elements, attributes, text. There is no DTD and so no
 * entity to expand or to fetch, no processing instruction, and nothing but UTF-8 and XML 1.0.
 *
 * @throws XmlFault from every method, for what is not well-formed, not allowed, or more than the limits
 */
export class XmlStream {
  readonly #parser = new SaxesParser({ xmlns: true, position: false });
  #depth = 0;
  #elements = 0;

  constructor(limits: XmlLimits, handler: XmlHandler) {
    const parser = this.#parser;
    let attributes = 0;
    let allAttributes = 0;
    const refuse = (what: string) => () => {
      throw new XmlFault(`there is ${what}`);
    };
    const text = (piece: string) => {
      if (this.#depth > 0) handler.text(piece);
    };
    parser.on('doctype', refuse('a DOCTYPE'));
    parser.on('processinginstruction', refuse('a processing instruction'));
    if (!limits.allowComments) parser.on('comment', refuse('a comment'));
    parser.on('cdata', limits.allowComments ? text : refuse('a CDATA section'));
    parser.on('xmldecl', ({ version, encoding }) => {
      if (version !== '1.0') throw new XmlFault('it is not XML 1.0');
      if (encoding !== undefined && encoding.toLowerCase() !== 'utf-8') throw new XmlFault('it is not UTF-8');
    });
    parser.on('opentagstart', () => {
      attributes = 0;
      this.#elements += 1;
      this.#depth += 1;
      if (this.#depth > limits.depth) throw new XmlFault('its elements are nested too deeply');
      if (this.#elements > limits.elements) throw new XmlFault('it has too many elements');
    });
    parser.on('attribute', () => {
      attributes += 1;
      allAttributes += 1;
      if (attributes > limits.attributes) throw new XmlFault('an element has too many attributes');
      if (allAttributes > limits.allAttributes) throw new XmlFault('it has too many attributes');
    });
    parser.on('opentag', (tag) => {
      requireClearNamespaces(tag);
      handler.open(tag);
    });
    parser.on('closetag', (tag) => {
      handler.close(tag);
      this.#depth -= 1;
    });
    parser.on('text', text);
  }

  write(chunk: string): void {
    this.#guarded(() => this.#parser.write(chunk));
  }

  end(): void {
    this.#guarded(() => this.#parser.close());
    if (this.#elements === 0) throw new XmlFault('there is no element');
  }

  /** What the parser says of the fault may quote the document, and goes no further. */
  #guarded(work: () => void): void {
    try {
      work();
    } catch (error) {
      if (error instanceof Error && error.constructor === Error) throw new XmlFault('it is not well-formed');
      throw error;
    }
  }
}

/** Refuses the names of namespaces that parsers understand each in their way. */
function requireClearNamespaces({ attributes }: OpenTag): void {
  for (const { uri, value } of Object.values(attributes)) {
    if (uri !== xmlns || value === '') continue;
    // The parser trims them; to others they are other namespaces (Namespaces in XML 1.0 §2.3).
    if (/\s/.test(value)) throw new XmlFault('the name of a namespace has white space in it');
    // What canonicalization makes of a relative one nobody knows (Canonical XML 1.0 §1.3).
    if (!/^[a-z][a-z0-9+.-]*:/i.test(value)) throw new XmlFault('a namespace is a relative URI');
  }
}
