import { type ReactNode, useRef, useState } from 'react';
import { t } from '../../texts/texts.ts';

/** Rows that the user has chosen, to do something with all of them. */
export interface Selection<Row> {
  has(row: Row): boolean;
  /** Adds the rows, or takes them away. */
  change(rows: readonly Row[], isChosen: boolean): void;
  /** What the row is called. */
  nameOf(row: Row): string;
  /** The row whose box was used last: with Shift, a whole range follows it. */
  readonly last: { current: Row | undefined };
  /** Says how many there are, and what can be done with them. */
  readonly bar: ReactNode;
}

/** The keys of chosen rows. Those that are no longer listed do not count. */
export function useSelected<Row>(rows: readonly Row[], keyOf: (row: Row) => string | number) {
  const [keys, setKeys] = useState<ReadonlySet<string | number>>(new Set());
  const last = useRef<Row>(undefined);
  return {
    selected: rows.filter((row) => keys.has(keyOf(row))),
    last,
    has: (row: Row) => keys.has(keyOf(row)),
    set: (chosen: readonly Row[]) => setKeys(new Set(chosen.map(keyOf))),
    change(changed: readonly Row[], isChosen: boolean) {
      const next = new Set(keys);
      for (const row of changed) {
        if (isChosen) next.add(keyOf(row));
        else next.delete(keyOf(row));
      }
      setKeys(next);
    },
  };
}

interface SelectPageProps<Row> {
  readonly selection: Selection<Row>;
  /** Those of this page of the table. */
  readonly rows: readonly Row[];
}

export function SelectPage<Row>({ selection, rows }: SelectPageProps<Row>) {
  const chosen = rows.filter((row) => selection.has(row)).length;
  const isAll = chosen === rows.length;
  return (
    <label className="select-box">
      <input
        type="checkbox"
        className="checkbox"
        aria-label={t('table.selectPage')}
        checked={isAll}
        ref={(box) => {
          if (box !== null) box.indeterminate = chosen > 0 && !isAll;
        }}
        onChange={() => selection.change(rows, !isAll)}
      />
    </label>
  );
}

export function SelectRow<Row>({ selection, row, rows }: SelectPageProps<Row> & { readonly row: Row }) {
  return (
    <label className="select-box">
      <input
        type="checkbox"
        className="checkbox"
        aria-label={t('table.select', { row: selection.nameOf(row) })}
        checked={selection.has(row)}
        // A click tells of Shift, and Space is one too.
        onClick={({ currentTarget, shiftKey }) => {
          const { current: from } = selection.last;
          const range = shiftKey && from !== undefined ? between(rows, from, row) : [row];
          selection.change(range, currentTarget.checked);
          selection.last.current = row;
        }}
      />
    </label>
  );
}

/** Both rows and all between them; the second alone if the first is on another page. */
function between<Row>(rows: readonly Row[], one: Row, other: Row): readonly Row[] {
  const [start, end] = [rows.indexOf(one), rows.indexOf(other)].toSorted((a, b) => a - b);
  return start === undefined || end === undefined || start < 0 ? [other] : rows.slice(start, end + 1);
}
