import type { ReadList } from '@watchword/admin-client';
import type { ReactNode } from 'react';
import { IconButton, PlainButton } from '../../controls/button.tsx';
import { Icon } from '../../controls/icon.tsx';
import { count, type Noun } from '../../format/count.ts';
import { t } from '../../texts/texts.ts';
import { pageOf, type Sorting, sorted } from './rows.ts';
import { type Selection, SelectPage, SelectRow } from './selection.tsx';

export interface Column<Row> {
  readonly key: string;
  readonly header: string;
  cell(row: Row): ReactNode;
  /** What rows are sorted by; a column without cannot be. */
  value?(row: Row): string | number;
  readonly align?: 'end';
  /** Has the width that the others leave. */
  readonly isFlexible?: boolean;
  /** Cannot be hidden: it names the row, or has its actions. */
  readonly isFixed?: boolean;
  /** Hidden until the user chooses it. */
  readonly isExtra?: boolean;
}

interface DataTableProps<Row> {
  /** What the table lists, for screen readers. */
  readonly caption: string;
  /** What is counted, or all rows in words. */
  readonly noun: Noun | ((rows: readonly Row[]) => string);
  /** Each row is one line high. */
  readonly isDense?: boolean;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string | number;
  readonly sorting: Sorting;
  readonly onSort: (sorting: Sorting) => void;
  /** Counted from 1. */
  readonly page: number;
  readonly onPage: (page: number) => void;
  /** Instead of rows, when there are none. */
  readonly empty: ReactNode;
  /** The list of the server that the rows are from: it can have others, which were not read. Absent: all are here. */
  readonly found?: Pick<ReadList<unknown>, 'isComplete' | 'total'> | undefined;
  /** Below the rows, for example how to see more. */
  readonly footer?: ReactNode;
  /** Rows that the user has chosen. */
  readonly selection?: Selection<Row>;
  /** Rows of one group stand together below its head, the group of the first row first. */
  readonly groups?: RowGroups<Row>;
}

interface RowGroups<Row> {
  of(row: Row): string;
  head(group: string): ReactNode;
}

export const rowsOfPage = 25;

/** Some browsers take a table that is laid out as cards for none, unless each part of it names its role. */
const role = {
  table: { role: 'table' },
  group: { role: 'rowgroup' },
  row: { role: 'row' },
  header: { role: 'columnheader' },
  cell: { role: 'cell' },
} as const;

/** A list that can be sorted and paged through; on a narrow screen each row becomes a card. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const {
    caption,
    isDense = false,
    columns,
    rows,
    rowKey,
    sorting,
    onSort,
    page,
    onPage,
    empty,
    footer,
    selection,
    groups,
  } = props;
  if (rows.length === 0) return empty;
  const inOrder = sorted(rows, columns, sorting);
  const shown = pageOf(partsOf(inOrder, groups).flat(), page, rowsOfPage);
  return (
    <div className="table-frame">
      <table {...role.table} className="table" data-dense={isDense}>
        <caption className="visually-hidden">{caption}</caption>
        <thead {...role.group}>
          <tr {...role.row}>
            {selection !== undefined && (
              <th {...role.header} scope="col" className="select-cell">
                <SelectPage selection={selection} rows={shown.rows} />
              </th>
            )}
            {columns.map((column) => (
              <HeaderCell key={column.key} column={column} sorting={sorting} onSort={onSort} />
            ))}
          </tr>
        </thead>
        {partsOf(shown.rows, groups).map((part) => (
          <tbody key={rowKey(part[0] as Row)} {...role.group}>
            {groups !== undefined && (
              <tr {...role.row} className="group-row">
                <th scope="rowgroup" colSpan={columns.length}>
                  <div>{groups.head(groups.of(part[0] as Row))}</div>
                </th>
              </tr>
            )}
            {part.map((row) => (
              <tr key={rowKey(row)} {...role.row} data-selected={selection?.has(row)}>
                {selection !== undefined && (
                  <td {...role.cell} className="select-cell">
                    <SelectRow selection={selection} row={row} rows={shown.rows} />
                  </td>
                )}
                {columns.map(({ key, header, cell, align, isFlexible }) => (
                  <td
                    key={key}
                    {...role.cell}
                    data-label={header}
                    data-align={align}
                    data-flexible={isFlexible}
                  >
                    {cell(row)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        ))}
      </table>
      {selection?.bar}
      <div className="table-foot">
        {footer}
        <Pager {...shown} total={totalText(props)} caption={caption} onPage={onPage} />
      </div>
    </div>
  );
}

/** The rows by their groups, in the order of the first row of each; without groups they are one. */
function partsOf<Row>(rows: readonly Row[], groups: RowGroups<Row> | undefined): readonly (readonly Row[])[] {
  return groups === undefined ? [rows] : [...Map.groupBy(rows, groups.of).values()];
}

/** How many rows there are, in words: those of the whole list, if the server has counted it. */
function totalText<Row>({ rows, noun, found }: DataTableProps<Row>): string {
  const total = found?.isComplete === false ? found.total : rows.length;
  const inWords = typeof noun === 'function' ? noun(rows) : count(total ?? rows.length, noun);
  return total === undefined ? t('table.soFar', { count: inWords }) : inWords;
}

interface HeaderCellProps<Row> {
  readonly column: Column<Row>;
  readonly sorting: Sorting;
  readonly onSort: (sorting: Sorting) => void;
}

function HeaderCell<Row>({ column, sorting, onSort }: HeaderCellProps<Row>) {
  const { key, header, value, align } = column;
  const isSorted = sorting.key === key;
  if (value === undefined) {
    return (
      <th {...role.header} scope="col" data-align={align}>
        {header === '' ? <span className="visually-hidden">{t('table.actions')}</span> : header}
      </th>
    );
  }
  return (
    <th
      {...role.header}
      scope="col"
      data-align={align}
      aria-sort={isSorted ? (sorting.isDescending ? 'descending' : 'ascending') : 'none'}
    >
      <PlainButton
        className="sort-button"
        onClick={() => onSort({ key, isDescending: isSorted && !sorting.isDescending })}
      >
        {header}
        <Icon name={isSorted && sorting.isDescending ? 'down' : 'up'} />
      </PlainButton>
    </th>
  );
}

interface PagerProps {
  readonly page: number;
  readonly pages: number;
  readonly first: number;
  readonly last: number;
  /** How many rows there are, in words. */
  readonly total: string;
  readonly caption: string;
  readonly onPage: (page: number) => void;
}

function Pager({ page, pages, first, last, total, caption, onPage }: PagerProps) {
  if (pages === 1) return <p className="quiet">{total}</p>;
  return (
    <nav className="pager" aria-label={t('table.pages', { table: caption })}>
      <span className="quiet" aria-live="polite">
        {t('table.range', { first, last, total })}
      </span>
      <IconButton aria-label={t('table.previous')} disabled={page === 1} onClick={() => onPage(page - 1)}>
        <Icon name="left" />
      </IconButton>
      <IconButton aria-label={t('table.next')} disabled={page === pages} onClick={() => onPage(page + 1)}>
        <Icon name="right" />
      </IconButton>
    </nav>
  );
}
