import type { ReactNode } from 'react';
import { Button } from '../../controls/button.tsx';
import { count, type Noun } from '../../format/count.ts';
import { t } from '../../texts/texts.ts';

/** What can be done with several rows, one after another. */
export interface BulkAction<Row> {
  readonly key: string;
  /** Of the button that asks. */
  readonly label: string;
  /** @param rows how many of what, in words */
  title(rows: string): string;
  readonly effect: ReactNode;
  readonly action: string;
  readonly isHarmless?: boolean;
  readonly isFinal?: boolean;
  run(row: Row): Promise<unknown>;
}

interface BulkBarProps<Row> {
  readonly noun: Noun;
  readonly selected: readonly Row[];
  /** All rows that are listed, on every page. */
  readonly rows: readonly Row[];
  readonly actions: readonly BulkAction<Row>[];
  readonly onSelect: (rows: readonly Row[]) => void;
  readonly onAction: (action: BulkAction<Row>) => void;
}

/** What can be done with the chosen rows. It stays in sight at the lower edge of the window. */
export function BulkBar<Row>({ noun, selected, rows, actions, onSelect, onAction }: BulkBarProps<Row>) {
  const total = selected.length > 0 && t('bulk.selected', { count: count(selected.length, noun) });
  return (
    <>
      <span role="status" className="visually-hidden">
        {total}
      </span>
      {total !== false && (
        <section className="bulk-bar" aria-label={t('bulk.label')}>
          <strong>{total}</strong>
          {selected.length < rows.length && (
            <Button variant="subtle" size="compact-xs" onClick={() => onSelect(rows)}>
              {t('bulk.all', { count: count(rows.length, noun) })}
            </Button>
          )}
          <Button variant="subtle" size="compact-xs" onClick={() => onSelect([])}>
            {t('bulk.clear')}
          </Button>
          <span className="bulk-actions">
            {actions.map((action) => (
              <Button
                key={action.key}
                variant={action.isHarmless ? 'default' : 'outline'}
                {...(!action.isHarmless && { color: 'red' as const })}
                onClick={() => onAction(action)}
              >
                {action.label}
              </Button>
            ))}
          </span>
        </section>
      )}
    </>
  );
}
