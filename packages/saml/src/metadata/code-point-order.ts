/**
 * Compares by code points, the order of canonicalization (Canonical XML 1.0 §1.1). JavaScript compares UTF-16 code units,
 * which puts characters above U+FFFF before some characters below it.
 */
export function byCodePoint(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index += 1) {
    const [left, right] = [a.charCodeAt(index), b.charCodeAt(index)];
    if (left !== right) return ranked(left) - ranked(right);
  }
  return a.length - b.length;
}

/** Ranks surrogates, the halves of characters above U+FFFF, last. */
function ranked(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
