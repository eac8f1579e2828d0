/** One of the reads that together make a list. */
export interface Source<Row, Before> {
  /** Distinguishes it from the others of the list. Sources are read in the order of their numbers. */
  readonly number: number;
  read(before: Before | undefined, limit: number): Promise<readonly Row[]>;
}

/** Where a list of several sources continues. */
export interface SourcePosition<Before> {
  /** Number of the source. */
  readonly source: number;
  readonly before?: Before;
}

interface SourcedRow<Row> {
  readonly source: number;
  readonly row: Row;
}

/** The rows that follow the position, from one source after another. */
export async function readSources<Row, Before>(
  sources: readonly Source<Row, Before>[],
  after: SourcePosition<Before> | undefined,
  limit: number,
): Promise<SourcedRow<Row>[]> {
  const found: SourcedRow<Row>[] = [];
  for (const { number, read } of sources) {
    if (after !== undefined && number < after.source) continue;
    if (found.length === limit) break;
    const before = number === after?.source ? after.before : undefined;
    const rows = await read(before, limit - found.length);
    found.push(...rows.map((row) => ({ source: number, row })));
  }
  return found;
}
