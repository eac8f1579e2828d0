// A text of a module can be longer, and must fit into an address or a header.
const maxLength = 500;

/**
 * A text with the characters that are permitted in `error_description`: ASCII without `"` and `\` (RFC 6749 §4.1.2.1, §5.2).
 */
export function describable(text: string): string {
  return text.slice(0, maxLength).replaceAll(/[^\x20\x21\x23-\x5B\x5D-\x7E]/gu, '?');
}
