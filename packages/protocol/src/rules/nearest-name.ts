const maxLength = 100;

/** The known name that is most like a wrong one, if one is like it. Case and separators are no difference. */
export function nearestName<Name extends string>(wrong: string, known: readonly Name[]): Name | undefined {
  const wanted = letters(wrong);
  // With more differences the names would have little in common.
  return nearest(known, Math.floor(wanted.length / 3), (name) =>
    differsByGroup(wanted, name) ? 0 : differences(wanted, name),
  );
}

/**
 * The known name of which the given one is probably a typing error: at most one letter in four is wrong, and at most three
 * letters. It has fewer matches than `nearestName`, because a caller rejects such a name and accepts any other.
 */
export function misspelledName<Name extends string>(given: string, known: readonly Name[]): Name | undefined {
  const wanted = letters(given);
  const limit = Math.min(3, Math.floor(wanted.length / 4));
  return nearest(known, limit, (name) =>
    // Comparing names costs more than their lengths, and a request can have thousands of names.
    Math.abs(name.length - wanted.length) > limit ? Number.POSITIVE_INFINITY : differences(wanted, name),
  );
}

function nearest<Name extends string>(
  known: readonly Name[],
  limit: number,
  distanceOf: (name: string) => number,
): Name | undefined {
  let closest: { readonly name: Name; readonly distance: number } | undefined;
  for (const name of known) {
    const distance = distanceOf(letters(name));
    if (distance <= limit && distance < (closest?.distance ?? Number.POSITIVE_INFINITY)) {
      closest = { name, distance };
    }
  }
  return closest?.name;
}

function letters(name: string): string {
  return name
    .slice(0, maxLength)
    .toLowerCase()
    .replaceAll(/[^a-z]/g, '');
}

/** Whether the names differ only by a group in front, such as `http.`. */
function differsByGroup(one: string, other: string): boolean {
  return one.length > 3 && (one.endsWith(other) || other.endsWith(one));
}

/** The number of letters to insert, delete, replace or swap with the next one. */
function differences(one: string, other: string): number {
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
