/**
 * The rules that can be checked while the user types. The server decides: it checks everything again, and
 * what it finds is shown in the same places. So a rule here may miss something, and must never reject what the server
 * would take; test/rules.test.ts compares the two.
 */
import { characterAt, inQuotes } from '../../../protocol/src/model/hidden-characters.ts';
import { inLanguage, quoted, withHidden } from './hidden-characters.ts';
import { isLoopbackHost } from './loopback-host.ts';
import { problem } from './problems.ts';

const maxName = 255;
const maxText = 2000;
const maxSeconds = 3_155_760_000;
const maxJwtSeconds = 86_400;
// RFC 3986 §2.
const noUriCharacter = /[^A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=%]/u;

export function requiredName(value: string): string | undefined {
  if (value.trim() === '') return withHidden(problem('rule.required'), value);
  return value.length > maxName ? problem('rule.tooLong', { characters: maxName }) : undefined;
}

export function shortText(value: string): string | undefined {
  return value.length > maxText ? problem('rule.tooLong', { characters: maxText }) : undefined;
}

export function emailAddress(value: string): string | undefined {
  return value === '' || /^[^\s@]+@[^\s@]+$/.test(value)
    ? undefined
    : withHidden(problem('rule.email'), value);
}

export function webUrl(value: string): string | undefined {
  return value === '' || /^https?:\/\/[^\s\\]+$/i.test(value)
    ? undefined
    : withHidden(problem('rule.webUrl'), value);
}

/** RFC 6749 §3.3. */
export function scopeToken(scope: string): string | undefined {
  return /^[\x21\x23-\x5B\x5D-\x7E]+$/.test(scope)
    ? undefined
    : problem('rule.scopeToken', { scope: quoted(scope) });
}

/** https, http on a loopback host, or a private-use scheme (RFC 8252 §7). */
export function redirectUri(uri: string): string | undefined {
  const rule = brokenRule(uri);
  const shown = inQuotes(uri);
  if (rule !== undefined) return withHidden(problem(rule, { uri: shown }), uri);
  const character = characterAt(uri, noUriCharacter);
  return character && problem('rule.uriCharacter', { uri: shown, character: inLanguage(character) });
}

/** Of a client with the hybrid flow: an address of a web server, and none on the machine of the user. */
export function hybridRedirectUri(uri: string): string | undefined {
  const { protocol, hostname } = URL.canParse(uri) ? new URL(uri) : { protocol: '', hostname: '' };
  return protocol === 'https:' && !isLoopbackHost(hostname)
    ? undefined
    : problem('rule.hybridUri', { uri: inQuotes(uri) });
}

/** https, or http on a loopback host; the empty text is no address. */
export function logoutUri(uri: string): string | undefined {
  return isWebUri(uri) ? undefined : withHidden(problem('rule.logoutUri'), uri);
}

/** https; the empty text is no address. */
export function httpsUri(uri: string): string | undefined {
  return isWebUri(uri) && !/^http:/i.test(uri) ? undefined : withHidden(problem('rule.httpsUrl'), uri);
}

function isWebUri(uri: string): boolean {
  return uri === '' || (/^https?:/i.test(uri) && brokenRule(uri) === undefined);
}

function brokenRule(uri: string) {
  if (uri.includes('#')) return 'rule.fragment';
  if (uri.includes('*')) return 'rule.wildcard';
  if (!URL.canParse(uri)) return 'rule.notAbsolute';
  const { protocol, hostname } = new URL(uri);
  if (protocol === 'http:') {
    return isLoopbackHost(hostname) ? undefined : 'rule.http';
  }
  return protocol === 'https:' || protocol.includes('.') ? undefined : 'rule.scheme';
}

/** Of a token that the resource server verifies itself. */
export function jwtLifetime(value: number): string | undefined {
  return value >= 1 && value <= maxJwtSeconds
    ? undefined
    : problem('rule.jwtLifetime', { maximum: String(maxJwtSeconds) });
}

export function seconds(value: number): string | undefined {
  return Number.isSafeInteger(value) && value >= 0 && value <= maxSeconds
    ? undefined
    : problem('rule.seconds', { maximum: String(maxSeconds) });
}
