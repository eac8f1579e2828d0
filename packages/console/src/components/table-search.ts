/** Keeps the rows of which one text contains the search, in upper or lower case. */
export function searchOf<Row>(
  wanted: string,
  textsOf: (row: Row) => readonly string[],
): (row: Row) => boolean {
  const folded = fold(wanted.trim());
  return (row) => folded === '' || textsOf(row).some((text) => fold(text).includes(folded));
}

function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}
