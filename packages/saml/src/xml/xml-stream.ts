import { type SaxesAttributeNS, SaxesParser, type SaxesTagNS } from 'saxes';
import { xmlns } from './namespaces.ts';
import { XmlError } from './xml-error.ts';

export type OpenTag = Readonly<SaxesTagNS>;
export type XmlAttribute = Readonly<SaxesAttributeNS>;

export interface XmlHandler {
  open(tag: OpenTag): void;
  /** Called for empty elements too. */
  close(tag: OpenTag): void;
  /** Text within the root element, in pieces; character references are resolved. */
  text(text: string): void;
}

export interface XmlLimits {
  readonly depth: number;
  readonly elements: number;
  /** Attributes of one element, including namespace declarations. */
  readonly attributes: number;
  readonly allAttributes: number;
  /** `true` skips comments and reads CDATA sections as text; `false` makes both an error. */
  readonly allowComments: boolean;
}

/**
 * Reads XML as a stream, and accepts only the XML that SAML needs: elements, attributes and text in UTF-8 and XML 1.0. A DTD
 * is rejected, so no entity is expanded or fetched. Processing instructions are rejected too.
 *
 * @throws XmlError from every method, for a document that is not well-formed, not allowed, or exceeds the limits
 */
export class XmlStream {
  readonly #parser = new SaxesParser({ xmlns: true, position: false });
  #depth = 0;
  #elements = 0;

  constructor(limits: XmlLimits, handler: XmlHandler) {
    const parser = this.#parser;
    let attributes = 0;
    let allAttributes = 0;
    const reject = (construct: string) => () => {
      throw new XmlError(`there is ${construct}`);
    };
    const text = (piece: string) => {
      if (this.#depth > 0) handler.text(piece);
    };
    parser.on('doctype', reject('a DOCTYPE'));
    parser.on('processinginstruction', reject('a processing instruction'));
    if (!limits.allowComments) parser.on('comment', reject('a comment'));
    parser.on('cdata', limits.allowComments ? text : reject('a CDATA section'));
    parser.on('xmldecl', ({ version, encoding }) => {
      if (version !== '1.0') throw new XmlError('it is not XML 1.0');
      if (encoding !== undefined && encoding.toLowerCase() !== 'utf-8') throw new XmlError('it is not UTF-8');
    });
    parser.on('opentagstart', () => {
      attributes = 0;
      this.#elements += 1;
      this.#depth += 1;
      if (this.#depth > limits.depth) throw new XmlError('its elements are nested too deeply');
      if (this.#elements > limits.elements) throw new XmlError('it has too many elements');
    });
    parser.on('attribute', () => {
      attributes += 1;
      allAttributes += 1;
      if (attributes > limits.attributes) throw new XmlError('an element has too many attributes');
      if (allAttributes > limits.allAttributes) throw new XmlError('it has too many attributes');
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
    if (this.#elements === 0) throw new XmlError('there is no element');
  }

  /** Replaces errors of the parser, because their messages can quote the document. */
  #guarded(work: () => void): void {
    try {
      work();
    } catch (error) {
      if (error instanceof Error && error.constructor === Error) throw new XmlError('it is not well-formed');
      throw error;
    }
  }
}

/** Rejects namespace names that different parsers read in different ways. */
function requireClearNamespaces({ attributes }: OpenTag): void {
  for (const { uri, value } of Object.values(attributes)) {
    if (uri !== xmlns || value === '') continue;
    // The parser trims such a name; for other parsers it is another namespace (Namespaces in XML 1.0 §2.3).
    if (/\s/.test(value)) throw new XmlError('the name of a namespace has white space in it');
    // Canonicalization of a relative namespace URI is not defined (Canonical XML 1.0 §1.3).
    if (!/^[a-z][a-z0-9+.-]*:/i.test(value)) throw new XmlError('a namespace is a relative URI');
  }
}
