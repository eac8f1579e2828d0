import { OutboundError } from './outbound-error.ts';

/**
 * A URL that a request can go to.
 *
 * @throws OutboundError `invalid-url`
 */
export function checkedUrl(text: string | URL, allowHttp: boolean): URL {
  const url = URL.parse(String(text));
  // The text is not repeated: a URL can hold a secret.
  if (url === null) throw new OutboundError('invalid-url', 'expected an absolute URL');
  const schemes = allowHttp ? ['https:', 'http:'] : ['https:'];
  if (!schemes.includes(url.protocol)) {
    const expected = allowHttp ? 'https or http' : 'https';
    throw new OutboundError('invalid-url', `expected a URL with ${expected}, got ${url.protocol}`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new OutboundError('invalid-url', `the URL of ${url.host} must not have a user name or a password`);
  }
  return url;
}
