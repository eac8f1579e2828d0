import type { ReadList } from '@watchword/admin-client';
import { t } from '../../texts/texts.ts';

interface FirstOnlyProps {
  /** What was read; `undefined` while it is being read. */
  readonly list: ReadList<unknown> | undefined;
}

/** Below a table: that there are more than are listed. */
export function FirstOnly({ list }: FirstOnlyProps) {
  if (list?.isComplete !== false) return undefined;
  const { items, total } = list;
  const shown = items.length;
  return (
    <p className="quiet">
      {total === undefined ? t('table.firstOfFound', { shown }) : t('table.firstOfAll', { shown, total })}
    </p>
  );
}
