import { SamlRefusal } from '../refusal.ts';
import { parseXml, withDescendants, type XmlElement } from '../xml/element.ts';
import { XmlFault } from '../xml/xml-fault.ts';

/**
 * What a message may have: a person in some thousand groups is the most that ever comes, and each of them may declare two
 * namespaces. More would keep others waiting while it is checked.
 */
export const messageLimits = {
  depth: 40,
  elements: 3000,
  attributes: 20,
  allAttributes: 6000,
  allowComments: false,
};

/** Reads a message as strictly as anybody could. @throws SamlRefusal */
export function strictXml(xml: string): XmlElement {
  try {
    return parseXml(xml, messageLimits);
  } catch (error) {
    if (error instanceof XmlFault) throw new SamlRefusal('xml', `the message is refused: ${error.message}`);
    throw error;
  }
}

/**
 * Every value of an attribute that anybody could take for an id occurs once, and is in no namespace: else one element
 * is signed and another one read.
 *
 * @throws SamlRefusal
 */
export function requireUniqueIds(root: XmlElement): void {
  const seen = new Set<string>();
  for (const { attributes } of withDescendants(root)) {
    for (const [name, value] of attributes) {
      if (!/^(?:\{[^}]*\})?id$/i.test(name)) continue;
      if (name.startsWith('{')) throw new SamlRefusal('structure', 'an ID is in a namespace');
      if (seen.has(value)) throw new SamlRefusal('structure', 'two elements have the same ID');
      seen.add(value);
    }
  }
}
