import { type ReactNode, useState } from 'react';
import { useRefresh } from '../../api/queries.ts';
import { count, type Noun } from '../../format/count.ts';
import { sorted } from '../tables/rows.ts';
import { type Selection, useSelected } from '../tables/selection.tsx';
import { type BulkAction, BulkBar } from './bulk-bar.tsx';
import { BulkDialog } from './bulk-dialog.tsx';

interface BulkOptions<Row> {
  /** All that are listed. */
  readonly rows: readonly Row[];
  readonly noun: Noun;
  readonly keyOf: (row: Row) => string | number;
  readonly nameOf: (row: Row) => string;
  /** With it, what is done can end the session of the user, so it is done last. */
  readonly isOwn: (row: Row) => boolean;
  /** None: rows cannot be chosen. */
  readonly actions: readonly BulkAction<Row>[];
}

/** By name, the own one last. */
function inOrder<Row>(rows: readonly Row[], { nameOf, isOwn }: Pick<BulkOptions<Row>, 'nameOf' | 'isOwn'>) {
  const named = sorted(rows, [{ key: 'name', value: nameOf }], { key: 'name', isDescending: false });
  return named.toSorted((a, b) => Number(isOwn(a)) - Number(isOwn(b)));
}

/** Lets the user choose rows of a table, and do something with all of them. */
export function useBulk<Row>({ rows, noun, keyOf, nameOf, isOwn, actions }: BulkOptions<Row>): {
  readonly selection: Selection<Row> | undefined;
  readonly dialog: ReactNode;
} {
  const refresh = useRefresh();
  const { selected, last, has, change, set } = useSelected(rows, keyOf);
  // The rows at the time when the dialog opened: the list can change under it.
  const [asked, setAsked] = useState<{ action: BulkAction<Row>; rows: readonly Row[] } | undefined>();
  if (actions.length === 0) return { selection: undefined, dialog: undefined };
  const bar = (
    <BulkBar
      noun={noun}
      selected={selected}
      rows={rows}
      actions={actions}
      onSelect={set}
      onAction={(action) => setAsked({ action, rows: inOrder(selected, { nameOf, isOwn }) })}
    />
  );
  return {
    selection: { has, change, nameOf, last, bar },
    dialog: asked !== undefined && (
      <BulkDialog
        {...asked.action}
        title={asked.action.title(count(asked.rows.length, noun))}
        items={asked.rows.map((row) => ({ name: nameOf(row), run: () => asked.action.run(row) }))}
        onDone={refresh}
        onClose={(left) => {
          set(left.flatMap((index) => asked.rows[index] ?? []));
          setAsked(undefined);
        }}
      />
    ),
  };
}
