import { isUtf8 } from 'node:buffer';
import { decodeFormComponent } from '../rules/parameters.ts';

export interface BasicCredentials {
  readonly id: string;
  readonly secret: string;
}

// RFC 7617 §2: scheme, one space or more, base64 of `id:secret`. The scheme is case-insensitive.
const headerPattern = /^basic +([A-Za-z0-9+/]+={0,2})$/i;

/**
 * Reads the `Authorization` header's HTTP Basic credentials. Identifier and secret are form-urlencoded
 * within it (RFC 6749 §2.3.1). `undefined` for any other scheme and for anything malformed.
 */
export function parseBasicCredentials(header: string): BasicCredentials | undefined {
  const encoded = headerPattern.exec(header)?.[1];
  if (encoded === undefined) return undefined;
  const bytes = Buffer.from(encoded, 'base64');
  if (!isUtf8(bytes)) return undefined;
  const text = bytes.toString('utf8');
  const colon = text.indexOf(':');
  if (colon === -1) return undefined;
  const id = decodeFormComponent(text.slice(0, colon));
  const secret = decodeFormComponent(text.slice(colon + 1));
  if (!id || !secret) return undefined;
  return { id, secret };
}
