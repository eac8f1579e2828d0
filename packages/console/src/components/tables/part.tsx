import type { ReadList } from '@watchword/admin-client';
import { type ReactNode, useState } from 'react';
import type { Noun } from '../../format/count.ts';
import { Waiting } from '../waiting.tsx';
import { type Column, DataTable } from './data-table.tsx';
import { FirstOnly } from './first-only.tsx';
import type { Sorting } from './rows.ts';

interface PartProps<Row> {
  readonly title: string;
  readonly noun: Noun | ((rows: readonly Row[]) => string);
  readonly columns: readonly Column<Row>[];
  readonly found: {
    readonly data: ReadList<Row> | undefined;
    readonly error: unknown;
    readonly refetch: () => unknown;
  };
  readonly sortedBy: string;
  /** Says that there are no rows. Absent: the page then says nothing of them. */
  readonly empty?: string;
  /** Above the rows. */
  readonly problem?: ReactNode;
  readonly children?: ReactNode;
}

/** One of several lists of a page, whose order is therefore not in the address. */
export function Part<Row extends { readonly id: string }>(props: PartProps<Row>) {
  const { title, noun, columns, found, sortedBy, empty, problem, children } = props;
  const [sorting, setSorting] = useState<Sorting>({ key: sortedBy, isDescending: true });
  const [page, setPage] = useState(1);
  const { data, error, refetch } = found;
  if (empty === undefined && error === null && (data?.items.length ?? 0) === 0) return null;
  return (
    <section className="part">
      <h2>{title}</h2>
      {problem}
      {data === undefined ? (
        <Waiting error={error} refetch={refetch} rows={2} />
      ) : (
        <DataTable<Row>
          caption={title}
          noun={noun}
          columns={columns}
          rows={data.items}
          found={data}
          rowKey={({ id }) => id}
          sorting={sorting}
          onSort={setSorting}
          page={page}
          onPage={setPage}
          footer={<FirstOnly list={data} />}
          empty={<p className="quiet">{empty}</p>}
        />
      )}
      {children}
    </section>
  );
}
