/** What is wrong with bytes that have no {@link utf8Text}, and what to do. */
export const notUtf8 = 'expected UTF-8, got other bytes; convert it to UTF-8';

/** The text of bytes in UTF-8, without the byte order mark that some editors and shells put first; `undefined` for other bytes. */
export function utf8Text(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/**
 * A secret as it was written into a file, a pipe or a variable: without a byte order mark and without the end of its line, which
 * no login form and no request sends.
 */
export function secretLine(text: string): string {
  return text.replace(/^\uFEFF/, '').replace(/(?:\r?\n|\r)$/, '');
}
