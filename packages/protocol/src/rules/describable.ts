// Whatever a module says: an address and a header have to hold it.
const maxLength = 500;

/** A text as `error_description` may have it: ASCII without `"` and `\` (RFC 6749 §4.1.2.1, §5.2). */
export function describable(text: string): string {
  return text.slice(0, maxLength).replaceAll(/[^\x20\x21\x23-\x5B\x5D-\x7E]/gu, '?');
}
