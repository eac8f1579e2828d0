import type { ReadList } from '@watchword/admin-client';

interface FirstOnlyProps {
  /** What was read; `undefined` while it is being read. */
  readonly list: ReadList<unknown> | undefined;
}

/** Below a table: that there are more than are listed. */
export function FirstOnly({ list }: FirstOnlyProps) {
  if (list?.isComplete !== false) return undefined;
  const { items, total } = list;
  const of = total === undefined ? 'that were found' : `of ${total.toLocaleString('en')}`;
  return (
    <p className="quiet">
      Only the first {items.length.toLocaleString('en')} {of} are listed: search for the others.
    </p>
  );
}
