import { xmlns } from './namespaces.ts';
import { XmlError } from './xml-error.ts';
import { type OpenTag, type XmlLimits, XmlStream } from './xml-stream.ts';

/** An element with its attributes, children and text. */
export interface XmlElement {
  readonly namespace: string;
  /** Without prefix. */
  readonly name: string;
  /** By name, or by `{namespace}name` for an attribute with a namespace; without namespace declarations. */
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly XmlElement[];
  /** Its own text, without the text of its children. */
  readonly text: string;
}

interface GrowingElement extends XmlElement {
  readonly children: GrowingElement[];
  text: string;
}

/** Builds elements from the events of an {@link XmlStream}. */
export class ElementBuilder {
  readonly #open: GrowingElement[] = [];

  get depth(): number {
    return this.#open.length;
  }

  open({ uri, local, attributes }: OpenTag): void {
    const element: GrowingElement = {
      namespace: uri,
      name: local,
      attributes: new Map(
        Object.values(attributes)
          .filter((attribute) => attribute.uri !== xmlns)
          .map((attribute) => [
            attribute.uri === '' ? attribute.local : `{${attribute.uri}}${attribute.local}`,
            attribute.value,
          ]),
      ),
      children: [],
      text: '',
    };
    this.#open.at(-1)?.children.push(element);
    this.#open.push(element);
  }

  text(piece: string): void {
    const element = this.#open.at(-1);
    if (element !== undefined) element.text += piece;
  }

  /** Ends the innermost open element and returns it. */
  close(): XmlElement {
    const element = this.#open.pop();
    if (element === undefined) throw new XmlError('an element ends that never began');
    return element;
  }
}

/** Reads a whole document. @throws XmlError */
export function parseXml(xml: string, limits: XmlLimits): XmlElement {
  const builder = new ElementBuilder();
  let root: XmlElement | undefined;
  const stream = new XmlStream(limits, {
    open: (tag) => builder.open(tag),
    text: (piece) => builder.text(piece),
    close() {
      root = builder.close();
    },
  });
  stream.write(xml);
  stream.end();
  if (root === undefined) throw new XmlError('there is no element');
  return root;
}

/** The children with this name. */
export function childrenOf(
  element: XmlElement | undefined,
  namespace: string,
  name: string,
): readonly XmlElement[] {
  return (element?.children ?? []).filter((child) => child.namespace === namespace && child.name === name);
}

/** The first child with this name. */
export function childOf(
  element: XmlElement | undefined,
  namespace: string,
  name: string,
): XmlElement | undefined {
  return childrenOf(element, namespace, name)[0];
}

/** The element and its descendants, in document order. */
export function* withDescendants(element: XmlElement): Generator<XmlElement> {
  yield element;
  for (const child of element.children) yield* withDescendants(child);
}
