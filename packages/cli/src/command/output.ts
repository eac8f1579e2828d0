import { printable, printableJson } from '@watchword/server/runtime/log/printable';
import type { Io } from './io.ts';

/** The output of a command: tables and sentences for people, JSON for scripts. */
export interface Output {
  /** A list of records. If it is a part of a list, standard error says so. */
  list(records: readonly Row[], columns: readonly Column[], part?: ListedRows): void;
  /** Says on standard error how much of a list was printed, if it is a part. */
  part(part: ListedRows): void;
  /** One record; `note` is not part of the JSON. */
  record(record: Row, note?: string): void;
  /** A record that was issued just now. Its credentials stand last and apart, where they are found and copied. */
  issued(record: Row, credentials: Row, note: string): void;
  /** The result: `words`, one line or several, for people; `report` for scripts. */
  done(words: string | readonly string[], report: Row | readonly Row[]): void;
}

export type Row = Readonly<Record<string, unknown>>;

/** A member of the records, or what a table says instead of one. */
export type Column = string | { readonly name: string; readonly inWords: (record: Row) => string };

/** The rows of a list that were read. */
export interface ListedRows {
  readonly rows: readonly Row[];
  /** Whether other rows follow. */
  readonly hasMore: boolean;
  /** Length of the whole list; `undefined` if nobody has counted it. */
  readonly total: number | undefined;
}

export function createOutput(json: boolean, { stdout, stderr }: Pick<Io, 'stdout' | 'stderr'>): Output {
  const write = (text: string) => stdout.write(text);
  const writeJson = (value: unknown) => write(`${printableJson(value)}\n`);
  const sayPart = (part: ListedRows | undefined) => {
    if (part?.hasMore === true) stderr.write(`${partInWords(part)}\n`);
  };
  if (json) {
    return {
      list(records, _columns, part) {
        writeJson(records);
        sayPart(part);
      },
      part: sayPart,
      record: (record) => writeJson(record),
      issued: (record, credentials) => writeJson({ ...record, ...credentials }),
      done: (_words, report) => writeJson(report),
    };
  }
  return {
    list(records, columns, part) {
      write(records.length === 0 ? 'None.\n' : table(records, columns));
      sayPart(part);
    },
    part: sayPart,
    record: (record, note) => write(`${properties(record)}${note === undefined ? '' : `\n${note}\n`}`),
    issued(record, credentials, note) {
      const others = Object.entries(record).filter(([name]) => !Object.hasOwn(credentials, name));
      if (others.length > 0) write(`${properties(Object.fromEntries(others))}\n`);
      write(`${note}\n\n${properties(credentials)}`);
    },
    done: (words) =>
      write(
        [words]
          .flat()
          .map((line) => `${printable(line)}\n`)
          .join(''),
      ),
  };
}

/** "100 of 10,000 records are listed. --limit 10000 lists all." */
function partInWords({ rows: { length }, total }: ListedRows): string {
  if (total === undefined) {
    return `${grouped(length)} records are listed, and there are more. A greater --limit lists more of them.`;
  }
  return `${grouped(length)} of ${grouped(total)} records are listed. --limit ${total} lists all.`;
}

function grouped(count: number): string {
  return count.toLocaleString('en');
}

function table(records: readonly Row[], columns: readonly Column[]): string {
  const rows = [
    columns.map((column) => (typeof column === 'string' ? column : column.name).toUpperCase()),
    ...records.map((record) =>
      columns.map((column) =>
        typeof column === 'string' ? cell(record[column], column) : printable(column.inWords(record)),
      ),
    ),
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
    .map(([name, value]) => `${printable(name).padEnd(width)}  ${cell(value, name)}`.trimEnd())
    .map((line) => `${line}\n`)
    .join('');
}

const timestamps = new Set([
  'expires',
  'creationDate',
  'lastUsed',
  'secretExpires',
  'resetLinkExpires',
  'time',
  'publishedAt',
  'signsFrom',
  'retiredAt',
  'compromisedAt',
  'nextAttempt',
]);

function cell(value: unknown, name: string): string {
  if (value === undefined || value === null) return '';
  if (timestamps.has(name)) return timestamp(value);
  if (Array.isArray(value)) return value.map((item) => cell(item, '')).join(' ');
  return printable(typeof value === 'object' ? JSON.stringify(value) : String(value));
}

/** Epoch milliseconds as a date and time; any other value unchanged. */
function timestamp(value: unknown): string {
  if (value === 0) return 'never';
  const time = new Date(Number(value));
  return Number.isNaN(time.getTime()) ? printable(String(value)) : time.toISOString();
}
