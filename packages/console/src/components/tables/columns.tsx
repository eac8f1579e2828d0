import { type ReactNode, useId, useRef, useState } from 'react';
import { browserStorage, keepJson, keptJson } from '../../browser-storage.ts';
import { Button } from '../../controls/button.tsx';
import { Checkbox } from '../../controls/choices.tsx';
import { Icon } from '../../controls/icon.tsx';
import { onKeys } from '../../controls/keys.ts';
import { t } from '../../texts/texts.ts';
import { usePopup } from '../use-popup.ts';
import type { Column } from './data-table.tsx';
import { type ColumnChoices, chosenColumns, isSame } from './rows.ts';

export interface TableColumns<Row> {
  readonly columns: readonly Column<Row>[];
  /** Lets the user choose, for the toolbar of the table. */
  readonly choice: ReactNode;
  /** The value of the columns that are hidden because all rows have it, for the foot of the table. */
  readonly same: ReactNode;
}

/**
 * The columns of a table that are shown: those that the user chose in this browser, and else those that tell rows apart.
 *
 * @param table under which the choice is kept
 */
export function useColumns<Row>(
  table: string,
  columns: readonly Column<Row>[],
  rows: readonly Row[] = [],
): TableColumns<Row> {
  const key = `watchword.columns.${table}`;
  const [choices, setChoices] = useState(() => read(key));
  const shown = chosenColumns(columns, rows, choices);
  const same = columns.filter((column) => !shown.includes(column) && !column.isExtra && isSame(column, rows));
  const [first] = rows;
  const keep = (next: ColumnChoices) => {
    setChoices(next);
    keepJson(browserStorage(), key, next);
  };
  return {
    columns: shown,
    choice: (
      <ColumnChoice
        columns={columns.filter(({ isFixed }) => isFixed !== true)}
        shown={shown}
        isChosen={Object.keys(choices).length > 0}
        onChoose={(column, isShown) => keep({ ...choices, [column]: isShown })}
        onReset={() => keep({})}
      />
    ),
    same: first !== undefined && same.some((column) => column.value?.(first) !== '') && (
      <p className="quiet table-same">
        {t('table.same')}
        {same
          .filter((column) => column.value?.(first) !== '')
          .map((column) => (
            <span key={column.key}>
              {column.header}: {column.cell(first)}
            </span>
          ))}
      </p>
    ),
  };
}

interface ColumnChoiceProps<Row> {
  readonly columns: readonly Column<Row>[];
  readonly shown: readonly Column<Row>[];
  readonly isChosen: boolean;
  readonly onChoose: (key: string, isShown: boolean) => void;
  readonly onReset: () => void;
}

function ColumnChoice<Row>({ columns, shown, isChosen, onChoose, onReset }: ColumnChoiceProps<Row>) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLSpanElement>(null);
  const popup = useRef<HTMLFieldSetElement>(null);
  const id = useId();
  usePopup(isOpen, button, popup, 'end');
  const close = () => {
    setOpen(false);
    button.current?.querySelector('button')?.focus();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only closes what is open
    <span
      ref={button}
      className="toolbar-end"
      onKeyDown={onKeys((event) => {
        if (event.key !== 'Escape' || !isOpen) return;
        event.preventDefault();
        close();
      })}
      onBlur={({ currentTarget, relatedTarget }) => {
        // A press on the text of a box moves the focus to nothing before it moves to the box.
        if (relatedTarget !== null && !currentTarget.contains(relatedTarget)) setOpen(false);
      }}
    >
      <Button
        variant="default"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        rightSection={<Icon name="down" />}
        onClick={() => setOpen(!isOpen)}
      >
        {t('table.columns')}
      </Button>
      {isOpen && (
        <fieldset
          ref={popup}
          id={id}
          popover="manual"
          aria-label={t('table.columns')}
          className="popup column-choice"
        >
          {columns.map((column) => (
            <Checkbox
              key={column.key}
              label={column.header}
              checked={shown.includes(column)}
              onChange={({ currentTarget }) => onChoose(column.key, currentTarget.checked)}
            />
          ))}
          <Button size="compact-xs" variant="default" disabled={!isChosen} onClick={onReset}>
            {t('table.columnsReset')}
          </Button>
        </fieldset>
      )}
    </span>
  );
}

function read(key: string): ColumnChoices {
  const kept = Object.entries(keptJson(browserStorage(), key) ?? {});
  return Object.fromEntries(kept.filter(([, isShown]) => typeof isShown === 'boolean'));
}
