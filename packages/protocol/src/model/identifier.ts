/** A key or clientId that is made here or chosen. Records of an import, and of earlier releases, can have others. */
export const identifierPattern = /^[a-z0-9](?:[a-z0-9_-]{0,253}[a-z0-9])?$/;

/**
 * The identifier that is made from a name: lower case, spaces to `-`, only `a-z 0-9 _ -`, with a letter or digit at both ends, because a
 * command takes a word that begins with `-` for an option.
 *
 * @param fallback for a name of which nothing is left
 */
export function identifierOf(name: string, fallback: string): string {
  const left = name
    .toLowerCase()
    .replaceAll(' ', '-')
    .replaceAll(/[^a-z0-9_-]/g, '')
    .replaceAll(/^[_-]+|(?<![_-])[_-]+$/g, '');
  return left || fallback;
}
