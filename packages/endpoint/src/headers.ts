import { cached } from './cached.ts';
import { own } from './data.ts';
import { type EndpointErrorCode, unexpected } from './endpoint-error.ts';
import type { HeadersInput } from './types/options.ts';

/**
 * In lower case, a token of RFC 9110 section 5.6.2, which methods (9.1) and field names (5.1) are. Few come, again and again.
 * @param code and `expected` are those of the error
 */
const tokens = (code: EndpointErrorCode, expected: string): ((text: string) => string) =>
  cached((text: unknown) => {
    if (typeof text === 'string' && /^[!#-'*+.^`|~\w-]+$/.test(text)) return text.toLowerCase();
    throw unexpected(code, expected, text);
  });

/** @throws EndpointError `INVALID_METHOD` */
export const checkMethod = tokens('INVALID_METHOD', 'an HTTP method');

const headerName = tokens('INVALID_HEADER', 'a header name');

/**
 * One line of ISO 8859-1 text (RFC 9110 section 5.5). No message shows it, for it may be a secret.
 * @throws EndpointError `INVALID_HEADER`
 */
export const toHeaderValue = (name: string, value: unknown): string => {
  const text = Object(value) === value ? '\n' : `${value as string}`;
  if (!/[^\t -~\x80-\xff]/.test(text)) return text;
  throw unexpected('INVALID_HEADER', `a Latin-1 line as header ${name}`, typeof value);
};

/**
 * A fresh object: `defaults`, key by key overridden by `changes`; null takes a header away.
 * @throws EndpointError `INVALID_HEADER`
 */
export const mergeHeaders = (
  changes: HeadersInput | null | undefined,
  defaults?: Readonly<Record<string, string>>,
): Record<string, string> => {
  const headers = { ...defaults };
  const given = Object(changes);
  const fields = given[Symbol.iterator] ? Object.fromEntries(given) : given;
  for (const key in fields) {
    const value = own(fields, key);
    if (value === undefined) continue;
    const name = headerName(key);
    if (value === null) delete headers[name];
    else headers[name] = toHeaderValue(name, value);
  }
  return headers;
};
