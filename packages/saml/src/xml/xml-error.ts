/** An XML document cannot be read. The message quotes nothing of the document, which can hold personal data. */
export class XmlError extends Error {
  override readonly name = 'XmlError';
}
