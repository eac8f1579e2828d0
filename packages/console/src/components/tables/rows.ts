export interface Sorting {
  readonly key: string;
  readonly isDescending: boolean;
}

interface SortableColumn<Row> {
  readonly key: string;
  value?(row: Row): string | number;
}

const texts = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** The rows in the order of a column; rows that are equal in it keep the order in which they came. */
export function sorted<Row>(
  rows: readonly Row[],
  columns: readonly SortableColumn<Row>[],
  { key, isDescending }: Sorting,
): readonly Row[] {
  const column = columns.find((candidate) => candidate.key === key);
  const { value } = column ?? {};
  if (value === undefined) return rows;
  const direction = isDescending ? -1 : 1;
  return rows.toSorted((a, b) => direction * compare(value(a), value(b)));
}

/** A page of the rows; a number beyond the last page means the last. */
export function pageOf<Row>(rows: readonly Row[], wanted: number, size: number) {
  const pages = Math.max(1, Math.ceil(rows.length / size));
  const page = Math.min(Math.max(1, wanted), pages);
  const start = (page - 1) * size;
  const shown = rows.slice(start, start + size);
  return { rows: shown, page, pages, first: start + 1, last: start + shown.length };
}

function compare(a: string | number, b: string | number): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return texts.compare(String(a), String(b));
}

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

interface ChoosableColumn<Row> extends SortableColumn<Row> {
  readonly isFixed?: boolean;
  readonly isExtra?: boolean;
}

/** Whether the user wants to see a column, by its key. */
export type ColumnChoices = Readonly<Record<string, boolean>>;

/** The columns that the user chose; without a choice those that tell the rows apart, and are not extra. */
export function chosenColumns<Row, Chosen extends ChoosableColumn<Row>>(
  columns: readonly Chosen[],
  rows: readonly Row[],
  choices: ColumnChoices,
): readonly Chosen[] {
  return columns.filter((column) => {
    const { key, isFixed = false, isExtra = false } = column;
    return isFixed || (choices[key] ?? !(isExtra || isSame(column, rows)));
  });
}

/** Whether all rows, and there are several, have the same value in the column. */
export function isSame<Row>({ value }: SortableColumn<Row>, rows: readonly Row[]): boolean {
  const [first, ...others] = rows;
  if (value === undefined || first === undefined || others.length === 0) return false;
  const wanted = value(first);
  return others.every((row) => value(row) === wanted);
}
