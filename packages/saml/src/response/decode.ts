import { isUtf8 } from 'node:buffer';
import { SamlError } from '../saml-error.ts';

/** Decodes a message by HTTP-POST: base64, with or without line breaks (Bindings §3.5.4). @throws SamlError */
export function decodeMessage(text: string): string {
  const base64 = text.replaceAll(/[\r\n\t ]/g, '');
  if (base64 === '' || base64.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) {
    throw new SamlError('encoding', 'SAMLResponse is missing or is not base64');
  }
  const bytes = Buffer.from(base64, 'base64');
  if (!isUtf8(bytes)) throw new SamlError('encoding', 'the response is not UTF-8');
  return bytes.toString('utf8');
}
