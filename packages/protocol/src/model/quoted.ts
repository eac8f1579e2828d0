import { named, withEscapes, withHidden } from './hidden-characters.ts';

// Characters.
const maxQuoted = 100;
// Tokens, codes and secrets of this server (`tokens/bearer-value.ts`), UUIDs, which are the secrets of imported clients, and other
// long texts without a space: tokens of others, code verifiers (RFC 7636 §4.1) and digests. A part of a URL or a scope is rarely
// that long.
const secretPattern =
  /ww[a-z]_[A-Za-z0-9_-]+|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[A-Za-z0-9_-]{40,}/gi;

/**
 * A text of a request in a reason for the record owner: short, with hidden characters as escapes, and without what can be a secret
 * in the wrong place.
 *
 * @param whole the text of the request, of which the first is a part
 */
export function quoted(text: string, whole = text): string {
  const shown = withoutSecrets(text);
  const short = shown.length > maxQuoted ? `${shown.slice(0, maxQuoted)}…` : shown;
  return withHidden(`"${withEscapes(short)}"`, whole);
}

/** A text with `…` in place of what can be a secret. */
export function withoutSecrets(text: string): string {
  return text.replaceAll(secretPattern, '…');
}

/** A URL in a reason: without user, query and fragment, which can have secrets. */
export function quotedUrl(url: string): string {
  const [address = ''] = url.split(/[?#]/, 1);
  const rest = address.length < url.length ? `${url.charAt(address.length)}…` : '';
  return quoted(`${address.replace(/\/\/[^/]*@/, '//…@')}${rest}`, url);
}

/** Registered texts in a reason: the first ones, or `none`. */
export function listed(texts: readonly string[]): string {
  const more = texts.length > maxListed ? ` and ${texts.length - maxListed} more` : '';
  return texts.length === 0 ? 'none' : `${texts.slice(0, maxListed).map(named).join(', ')}${more}`;
}

const maxListed = 5;
