// Databases limit the number of values of a statement.
const rowsPerStatement = 200;

/** Rows or keys for several statements. */
export function inParts<Item>(items: readonly Item[]): Item[][] {
  return Array.from({ length: Math.ceil(items.length / rowsPerStatement) }, (_, part) =>
    items.slice(part * rowsPerStatement, (part + 1) * rowsPerStatement),
  );
}
