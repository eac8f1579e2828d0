import { SamlRefusal } from '../refusal.ts';
import type { XmlElement } from '../xml/element.ts';

/**
 * The text of an element that may have text and nothing else, such as a NameID. With elements in it, one reader would take
 * the text before them, another one all of it, and both would be right in their way.
 *
 * @throws SamlRefusal
 */
export function simpleText({ name, children, text }: XmlElement): string {
  if (children.length === 0) return text;
  throw new SamlRefusal('structure', `expected text alone in ${name}, got elements in it`);
}
