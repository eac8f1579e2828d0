const maxLength = 100;

/** The known name that is most like a wrong one, if one is like it. Case and separators are no difference. */
export function nearestName<Name extends string>(wrong: string, known: readonly Name[]): Name | undefined {
  const wanted = letters(wrong).slice(0, maxLength);
  // With more differences the names would have little in common.
  let limit = Math.floor(wanted.length / 3) + 1;
  let nearest: Name | undefined;
  for (const name of known) {
    const distance = differences(wanted, letters(name));
    if (distance < limit) [limit, nearest] = [distance, name];
  }
  return nearest;
}

function letters(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z]/g, '');
}

/** The number of letters to insert, delete, replace or swap with the next one; 0 if the names differ only by a group in front. */
function differences(one: string, other: string): number {
  if (one.length > 3 && (one.endsWith(other) || other.endsWith(one))) return 0;
  // Optimal string alignment: `rows[i][j]` compares the first i letters of one with the first j letters of the other.
  const rows: number[][] = [Array.from({ length: other.length + 1 }, (_, j) => j)];
  const at = (i: number, j: number) => rows[i]?.[j] ?? Number.POSITIVE_INFINITY;
  for (let i = 1; i <= one.length; i += 1) {
    rows[i] = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const replaced = at(i - 1, j - 1) + (one[i - 1] === other[j - 1] ? 0 : 1);
      const isSwapped = one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      const swapped = isSwapped ? at(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY;
      rows[i]?.push(Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, replaced, swapped));
    }
  }
  return at(one.length, other.length);
}
