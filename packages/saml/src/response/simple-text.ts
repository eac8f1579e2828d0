import { SamlError } from '../saml-error.ts';
import type { XmlElement } from '../xml/element.ts';

/**
 * The text of an element that can have only text, such as a NameID. With child elements, one parser would return the text
 * before them and another parser all text, so an attacker could cut a name.
 *
 * @throws SamlError
 */
export function simpleText({ name, children, text }: XmlElement): string {
  if (children.length === 0) return text;
  throw new SamlError('structure', `expected only text in ${name}, got child elements`);
}
