/**
 * The rules that can be checked while the user types. The server decides: it checks everything again, and
 * what it finds is shown in the same places. So a rule here may miss something, and must never reject what the server
 * would take; test/rules.test.ts compares the two.
 */
import { isLoopbackHost } from './loopback-host.ts';

const maxName = 255;
const maxText = 2000;
const maxSeconds = 3_155_760_000;

export function requiredName(value: string): string | undefined {
  if (value.trim() === '') return 'is required';
  return value.length > maxName ? `is longer than ${maxName} characters` : undefined;
}

export function shortText(value: string): string | undefined {
  return value.length > maxText ? `is longer than ${maxText} characters` : undefined;
}

export function emailAddress(value: string): string | undefined {
  return value === '' || /^[^\s@]+@[^\s@]+$/.test(value) ? undefined : 'is not an e-mail address';
}

export function webUrl(value: string): string | undefined {
  return value === '' || /^https?:\/\/[^\s\\]+$/i.test(value) ? undefined : 'is not an http(s) URL';
}

/** RFC 6749 §3.3. */
export function scopeToken(scope: string): string | undefined {
  return /^[\x21\x23-\x5B\x5D-\x7E]+$/.test(scope)
    ? undefined
    : `${JSON.stringify(scope)} is not a scope token (RFC 6749 section 3.3), which has no space, quote or backslash`;
}

/** https, http on a loopback host, or a private-use scheme (RFC 8252 §7). */
export function redirectUri(uri: string): string | undefined {
  const problem = redirectUriProblem(uri);
  return problem === undefined ? undefined : `${JSON.stringify(uri)} ${problem}`;
}

function redirectUriProblem(uri: string): string | undefined {
  if (uri.includes('#')) return 'has a fragment, which a redirect URI cannot have (RFC 6749 section 3.1.2)';
  if (uri.includes('*')) return 'has a wildcard; redirect URIs are compared character by character';
  if (!URL.canParse(uri)) return 'is not an absolute URI';
  const { protocol, hostname } = new URL(uri);
  if (protocol === 'http:') {
    return isLoopbackHost(hostname) ? undefined : 'uses http, which is for loopback hosts only; use https';
  }
  return protocol === 'https:' || protocol.includes('.')
    ? undefined
    : 'has a scheme that is neither https nor a private-use scheme like com.example.app';
}

export function seconds(value: number): string | undefined {
  return Number.isSafeInteger(value) && value >= 0 && value <= maxSeconds
    ? undefined
    : `is not a whole number of seconds from 0 to ${maxSeconds}`;
}
