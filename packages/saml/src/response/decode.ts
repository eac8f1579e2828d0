import { isUtf8 } from 'node:buffer';
import { SamlRefusal } from '../refusal.ts';

/** The XML of a message by HTTP-POST (Bindings §3.5.4): base64, perhaps in lines. @throws SamlRefusal */
export function decodeMessage(text: string): string {
  const base64 = text.replaceAll(/[\r\n\t ]/g, '');
  if (base64 === '' || base64.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) {
    throw new SamlRefusal('encoding', 'SAMLResponse is missing or no base64');
  }
  const bytes = Buffer.from(base64, 'base64');
  if (!isUtf8(bytes)) throw new SamlRefusal('encoding', 'the response is not UTF-8');
  return bytes.toString('utf8');
}
