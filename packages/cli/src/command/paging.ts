import type { Command } from 'commander';
import { type Options, wholeNumber } from './options.ts';
import type { ListedRows } from './output.ts';

const shownRecords = 100;
/** For a script, which would take a part for the whole. They are in memory at once. */
const jsonRecords = 100_000;

export interface ListOptions<Position> {
  readonly limit: number;
  /** Only records after this one. */
  readonly after: Position;
}

/** Adds `--limit` to a list command. */
export function withLimit(command: Command): Command {
  return command.option(
    '--limit <n>',
    `maximum number of records (default: ${shownRecords}; with --json ${jsonRecords})`,
    wholeNumber('--limit', 1),
  );
}

export function limitOf({ limit, json }: Options): number {
  return typeof limit === 'number' ? limit : json === true ? jsonRecords : shownRecords;
}

/** The first of more rows. @param total length of the whole list, if it is known */
export function firstOf(rows: ListedRows['rows'], limit: number, total?: number): ListedRows {
  return { rows: rows.slice(0, limit), hasMore: rows.length > limit, total };
}
