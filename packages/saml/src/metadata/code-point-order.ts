/**
 * Compares by code points, as canonicalization sorts (Canonical XML 1.0 §1.1). Comparing strings compares units of
 * UTF-16, which puts characters beyond U+FFFF before some of those below.
 */
export function byCodePoint(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index += 1) {
    const [left, right] = [a.charCodeAt(index), b.charCodeAt(index)];
    if (left !== right) return ranked(left) - ranked(right);
  }
  return a.length - b.length;
}

/** Surrogates, halves of the characters beyond U+FFFF, come last. */
function ranked(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
