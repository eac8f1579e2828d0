import { SamlError } from '../saml-error.ts';
import { parseXml, withDescendants, type XmlElement } from '../xml/element.ts';
import { XmlError } from '../xml/xml-error.ts';

/**
 * Limits of a message. The largest real messages are those of a user in about a thousand groups, each value with two
 * namespace declarations. A larger message would delay other requests while it is verified.
 */
export const messageLimits = {
  depth: 40,
  elements: 3000,
  attributes: 20,
  allAttributes: 6000,
  allowComments: false,
};

/** Parses a message and accepts only XML that every parser reads in the same way. @throws SamlError */
export function strictXml(xml: string): XmlElement {
  try {
    return parseXml(xml, messageLimits);
  } catch (error) {
    if (error instanceof XmlError) throw new SamlError('xml', `the message is rejected: ${error.message}`);
    throw error;
  }
}

/**
 * Requires that each value of an attribute `ID`, in any spelling, is unique, and that the attribute has no namespace.
 * Otherwise the signature could cover one element while the server reads another.
 *
 * @throws SamlError
 */
export function requireUniqueIds(root: XmlElement): void {
  const seen = new Set<string>();
  for (const { attributes } of withDescendants(root)) {
    for (const [name, value] of attributes) {
      if (!/^(?:\{[^}]*\})?id$/i.test(name)) continue;
      if (name.startsWith('{')) throw new SamlError('structure', 'an ID is in a namespace');
      if (seen.has(value)) throw new SamlError('structure', 'two elements have the same ID');
      seen.add(value);
    }
  }
}
