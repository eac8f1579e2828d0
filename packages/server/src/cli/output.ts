import type { Io } from './io.ts';

/** What a command prints: tables and words for people, JSON for scripts. */
export interface Output {
  /** A list of records. */
  list(records: readonly Row[], columns: readonly string[]): void;
  /** One record; `note` is for people only. */
  record(record: Row, note?: string): void;
  /** What was done, in words; for scripts as `report`. */
  done(words: string, report: Row): void;
}

export type Row = Readonly<Record<string, unknown>>;

export function createOutput(json: boolean, { stdout }: Pick<Io, 'stdout'>): Output {
  const write = (text: string) => stdout.write(text);
  const writeJson = (value: unknown) => write(`${JSON.stringify(value, undefined, 2)}\n`);
  if (json) {
    return {
      list: writeJson,
      record: (record) => writeJson(record),
      done: (_words, report) => writeJson(report),
    };
  }
  return {
    list: (records, columns) => write(records.length === 0 ? 'None.\n' : table(records, columns)),
    record: (record, note) => write(`${properties(record)}${note === undefined ? '' : `\n${note}\n`}`),
    done: (words) => write(`${words}\n`),
  };
}

function table(records: readonly Row[], columns: readonly string[]): string {
  const rows = [
    columns.map((column) => column.toUpperCase()),
    ...records.map((record) => columns.map((column) => cell(record[column], column))),
  ];
  const widths = columns.map((_, index) => Math.max(...rows.map((row) => row[index]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((text, index) => text.padEnd(widths[index] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .map((line) => `${line}\n`)
    .join('');
}

function properties(record: Row): string {
  const width = Math.max(...Object.keys(record).map((name) => name.length));
  return Object.entries(record)
    .map(([name, value]) => `${name.padEnd(width)}  ${cell(value, name)}`.trimEnd())
    .map((line) => `${line}\n`)
    .join('');
}

function cell(value: unknown, name: string): string {
  if (name === 'expires' || name === 'creationDate') return moment(Number(value));
  if (value === undefined || value === null) return '';
  if (Array.isArray(value)) return value.map((item) => cell(item, '')).join(' ');
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  // A name may hold characters that would move the cursor of the terminal it is printed on.
  return text.replaceAll(/\p{C}/gu, '?');
}

/** Epoch milliseconds as a person reads them. */
function moment(time: number): string {
  return time === 0 ? 'never' : new Date(time).toISOString();
}
