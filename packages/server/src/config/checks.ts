import { BlockList, isIP, isIPv6 } from 'node:net';

/** Checks of the texts of settings. */

export function isHost(value: string): boolean {
  return /^[A-Za-z0-9.:_-]{1,255}$/.test(value);
}

/** Scheme and host in small letters, as browsers send them (RFC 3986 §6.2.2.1). */
export function withSmallHost(url: string): string {
  return url.replace(/^https?:\/\/[^/?#@]*/i, (start) => start.toLowerCase());
}

export function isBaseUrl(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const url = new URL(value);
  const isBare = url.username === '' && url.password === '' && url.search === '' && url.hash === '';
  // Compared as written, because clients compare the issuer in the same way (RFC 8414 §3.3).
  const canonical = url.pathname === '/' ? url.origin : `${url.origin}${url.pathname}`;
  // Not in a path: the router takes `*` and `:` for variable parts, and compares paths without percent-encoding. A cookie has no
  // path with `;`, and a link that begins with `//` leads to another host.
  const isPlain = isBare && !/[*:;%]|\/\//.test(url.pathname);
  return /^https?:$/.test(url.protocol) && isPlain && !value.endsWith('/') && value === canonical;
}

export function isOtlpEndpoint(value: string): boolean {
  const url = URL.parse(value);
  if (url === null || !/^https?:$/.test(url.protocol)) return false;
  return url.username === '' && url.password === '' && url.search === '' && url.hash === '';
}

export function isAddressRange(value: string): boolean {
  const [address = '', prefix, ...rest] = value.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  if (prefix === undefined) return true;
  if (!/^\d{1,3}$/.test(prefix)) return false;
  try {
    new BlockList().addSubnet(address, Number(prefix), version === 4 ? 'ipv4' : 'ipv6');
    return true;
  } catch {
    return false;
  }
}

/** RFC 9110 §5.1. */
export function isHeaderName(value: string): boolean {
  return /^[\w!#$%&'*+.^`|~-]+$/.test(value);
}

export function isHostName(value: string): boolean {
  return /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/i.test(value) ? value.length <= 255 : isIPv6(value);
}

/** As browsers write it. An IP address is none (WebAuthn Level 3 §5.1.2). */
export function isDomain(value: string): boolean {
  return (
    value.length <= 253 &&
    /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.(?!\d+$)|$))+$/.test(value) &&
    !/^\d+$/.test(value)
  );
}

export function isHttpsOrigin(value: string): boolean {
  const url = URL.parse(value);
  return url?.protocol === 'https:' && url.origin === value;
}

export function isHostWithPort(value: string): boolean {
  return /^[a-z0-9-]+(?:\.[a-z0-9-]+)*(?::\d{1,5})?$/i.test(value) && value.length <= 255;
}

/** Of characters that stay on one line, so that no value adds a field to security.txt (RFC 9116 §2.2, §2.5.3). */
export function isContact(value: string): boolean {
  return /^(?:mailto:[^\s@]+@[^\s@]+|tel:\+?[\d().-]+)$/.test(value) ? isUri(value) : isHttpsUrl(value);
}

/** Where users get help with their passwords. */
export function isHelpUrl(value: string): boolean {
  return /^mailto:[^\s@?]+@[^\s@]+$/.test(value) ? isUri(value) : isHttpsUrl(value);
}

/** RFC 9116 §2.5.4: the key itself does not stand in the file. */
export function isKeyAddress(value: string): boolean {
  return /^(?:openpgp4fpr:[0-9a-f]{40,64}|dns:[^\s]+)$/i.test(value) ? isUri(value) : isHttpsUrl(value);
}

/** RFC 3339, with the zone. */
export function isTime(value: string): boolean {
  return (
    /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?(?:Z|[+-]\d\d:\d\d)$/.test(value) && !Number.isNaN(Date.parse(value))
  );
}

export function isHttpsUrl(value: string): boolean {
  return isUri(value) && URL.parse(value)?.protocol === 'https:' && URL.parse(value)?.username === '';
}

/** Of the characters of RFC 3986 alone. */
function isUri(value: string): boolean {
  return /^[\w.~:/?#[\]@!$&'()*+,;=%-]{1,2000}$/.test(value);
}

export function isShortText(maxLength: number) {
  return (value: string): boolean => value.trim() !== '' && value.length <= maxLength;
}

export const metricsTokenForm = '16 to 1000 letters, digits and characters of -._~+/=';

/** RFC 6750 §2.1. The least length is that of a token that nobody can guess. */
export function isMetricsToken(value: string): boolean {
  return /^[A-Za-z0-9._~+/-]+=*$/.test(value) && value.length >= 16 && value.length <= 1000;
}

export const mailPasswordForm = '1 to 1000 characters on one line';

export function isMailPassword(value: string): boolean {
  return /^\P{Cc}{1,1000}$/u.test(value);
}

export const signingKeyForm = '32 bytes in base64, or in 64 hexadecimal digits';

export function isSigningKey(value: string): boolean {
  return /^(?:[A-Za-z0-9+/_-]{43}=?|[0-9a-fA-F]{64})$/.test(value);
}
