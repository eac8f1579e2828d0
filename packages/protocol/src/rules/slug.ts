/**
 * The identifiers that a name may be registered under, best first: lower case, spaces to `-`, only
 * `a-z 0-9 _ -`, with a letter or digit at both ends, because a command takes a word that begins with `-` for an option; then with
 * `2`, `3`, … appended. `fallback` serves a name of which nothing is left.
 *
 * @param reserved identifiers that are never used
 */
export function* slugCandidates(
  name: string,
  fallback: string,
  reserved: ReadonlySet<string> = new Set(),
): Generator<string> {
  const slug =
    name
      .toLowerCase()
      .replaceAll(' ', '-')
      .replaceAll(/[^a-z0-9_-]/g, '')
      .replaceAll(/^[_-]+|(?<![_-])[_-]+$/g, '') || fallback;
  if (!reserved.has(slug)) yield slug;
  for (let suffix = 2; ; suffix += 1) yield `${slug}${suffix}`;
}
