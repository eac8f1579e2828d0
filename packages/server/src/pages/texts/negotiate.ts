const range =
  /^\s*([a-z]{1,8}(?:-[a-z0-9]{1,8}){0,7})\s*(?:;\s*q\s*=\s*(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*)?$/i;
const maxRanges = 20;

/**
 * Finds the language of a page: lookup (RFC 4647 §3.4) over the ranges of Accept-Language in the order of their weight.
 * Malformed ranges are ignored.
 */
export function languageLookup(
  available: readonly string[],
  fallback: string,
): (acceptLanguage: string | undefined) => string {
  const byTag = new Map(available.map((tag) => [tag.toLowerCase(), tag]));
  return (acceptLanguage = '') => {
    for (const wanted of rangesByWeight(acceptLanguage)) {
      for (let tag = wanted; tag !== ''; tag = withoutLastSubtag(tag)) {
        const found = byTag.get(tag);
        if (found !== undefined) return found;
      }
    }
    return fallback;
  };
}

function rangesByWeight(header: string): string[] {
  if (header === '') return [];
  return header
    .split(',', maxRanges)
    .flatMap((part) => {
      const [, tag, weight = '1'] = range.exec(part) ?? [];
      return tag === undefined || Number(weight) === 0
        ? []
        : [{ tag: tag.toLowerCase(), weight: Number(weight) }];
    })
    .sort((a, b) => b.weight - a.weight)
    .map(({ tag }) => tag);
}

/** Removes the last subtag. A single letter or digit before it is removed too (RFC 4647 §3.4). */
function withoutLastSubtag(tag: string): string {
  return tag.replace(/(?:^|-)[^-]*$/, '').replace(/-[^-]$/, '');
}
