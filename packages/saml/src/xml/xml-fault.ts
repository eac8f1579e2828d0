/** What is wrong with an XML document; the message quotes nothing of it. */
export class XmlFault extends Error {
  override readonly name = 'XmlFault';
}
