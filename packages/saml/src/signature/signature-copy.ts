import { escapeAttribute, escapeText } from '../xml/escape.ts';
import type { OpenTag } from '../xml/xml-stream.ts';

/** Copies a signature out of a document, with all namespaces that are in scope there. */
export class SignatureCopy {
  readonly #parent: OpenTag;
  readonly #inherited: Readonly<Record<string, string>>;
  #text = '';

  /**
   * @param parent the element that contains the signature
   * @param inherited the namespaces in scope there, by prefix; the default namespace has the prefix `''`
   */
  constructor(parent: OpenTag, inherited: Readonly<Record<string, string>>) {
    this.#parent = parent;
    this.#inherited = inherited;
  }

  open(tag: OpenTag): void {
    const declarations = this.#text === '' ? declarationsOf(this.#inherited, tag) : '';
    this.#text += `<${tag.name}${declarations}${attributesOf(tag)}>`;
  }

  text(piece: string): void {
    this.#text += escapeText(piece);
  }

  close({ name }: OpenTag): void {
    this.#text += `</${name}>`;
  }

  /** The signature by itself. */
  get signature(): string {
    return this.#text;
  }

  /** A document that has only the start tag of the parent with the signature in it. */
  get skeleton(): string {
    const { name } = this.#parent;
    const inherited = declarationsOf(this.#inherited, this.#parent);
    return `<${name}${inherited}${attributesOf(this.#parent)}>${this.#text}</${name}>`;
  }
}

function attributesOf({ attributes }: OpenTag): string {
  return Object.values(attributes)
    .map(({ name, value }) => ` ${name}="${escapeAttribute(value)}"`)
    .join('');
}

/** Declarations of the inherited namespaces that the element does not declare itself. */
function declarationsOf(inherited: Readonly<Record<string, string>>, { ns }: OpenTag): string {
  return Object.entries(inherited)
    .filter(([prefix]) => !Object.hasOwn(ns, prefix))
    .map(([prefix, uri]) => ` xmlns${prefix && `:${prefix}`}="${escapeAttribute(uri)}"`)
    .join('');
}
