import { Timestamp } from '../timestamp.tsx';
import type { Column } from './data-table.tsx';
import { type MenuAction, RowMenu } from './row-menu.tsx';

/** @param timeOf epoch milliseconds; 0 = never */
export function timeColumn<Row>(key: string, header: string, timeOf: (row: Row) => number): Column<Row> {
  return { key, header, value: timeOf, cell: (row) => <Timestamp time={timeOf(row)} /> };
}

/** What can be done with a row. @param labelOf what the actions are for, for screen readers */
export function actionColumn<Row>(
  labelOf: (row: Row) => string,
  actionsOf: (row: Row) => readonly MenuAction[],
): Column<Row> {
  return {
    key: 'actions',
    header: '',
    isFixed: true,
    align: 'end',
    cell: (row) => <RowMenu label={labelOf(row)} actions={actionsOf(row)} />,
  };
}
