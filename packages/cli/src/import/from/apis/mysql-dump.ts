import { UsageError } from '../../../command/usage-error.ts';

/** A value of a row. Numbers stay texts, because a bigint can be greater than a number is exact. */
export type SqlValue = string | null;

/** A row by the names of its columns, in small letters. */
export type SqlRow = Readonly<Record<string, SqlValue>>;

/** The rows of tables, by the names of the tables in small letters: on some systems MySQL writes them so. */
export type Dump = ReadonlyMap<string, readonly SqlRow[]>;

/**
 * Reads the rows of a dump that mysqldump or mariadb-dump has written. Its statements are read as text: no other statement than INSERT and CREATE
 * TABLE has a meaning here.
 *
 * @param file for messages
 * @throws UsageError with the line
 */
export function readDump(file: string, text: string): Dump {
  if (!/\b(?:CREATE TABLE|INSERT INTO)\b/i.test(text)) throw noDump(file);
  const reader = new Reader(file, text);
  const columns = new Map<string, string[]>();
  const rows = new Map<string, SqlRow[]>();
  for (let word = reader.nextStatement(); word !== undefined; word = reader.nextStatement()) {
    if (word === 'CREATE' && reader.takesWord('TABLE')) {
      readTable(reader, columns, rows);
    } else if (word === 'INSERT' || word === 'REPLACE') {
      readRows(reader, columns, rows);
    }
    reader.skipStatement();
  }
  checkEnd(file, text);
  return rows;
}

function readTable(reader: Reader, columns: Map<string, string[]>, rows: Map<string, SqlRow[]>): void {
  reader.takesWord('IF');
  reader.takesWord('NOT');
  reader.takesWord('EXISTS');
  const table = reader.name();
  columns.set(table, reader.columnsOfTable());
  if (!rows.has(table)) rows.set(table, []);
}

function readRows(reader: Reader, columns: Map<string, string[]>, rows: Map<string, SqlRow[]>): void {
  reader.takesWord('IGNORE');
  if (!reader.takesWord('INTO')) throw reader.problem('expected INTO');
  const table = reader.name();
  const names = reader.takes('(') ? reader.names() : columns.get(table);
  if (names === undefined)
    throw reader.problem(
      `the columns of ${table} are not known: dump it with CREATE TABLE, or with --complete-insert`,
    );
  if (!reader.takesWord('VALUES')) throw reader.problem('expected VALUES');
  const found = rows.get(table) ?? [];
  rows.set(table, found);
  do {
    const values = reader.row();
    if (values.length !== names.length)
      throw reader.problem(`expected ${names.length} values for ${table}, got ${values.length}`);
    found.push(Object.fromEntries(names.map((name, index) => [name, values[index] ?? null])));
  } while (reader.takes(','));
}

function noDump(file: string): UsageError {
  return new UsageError(
    `${file}: expected the SQL of mysqldump, with CREATE TABLE and INSERT; "mysqldump --default-character-set=utf8mb4 apis > dump.sql" writes it`,
  );
}

/** mysqldump says at the end that it has come so far. */
function checkEnd(file: string, text: string): void {
  const hasComments = /^-- (?:MySQL|MariaDB) dump/m.test(text.slice(0, 1000));
  if (hasComments && !/^-- Dump completed/m.test(text.slice(-1000)))
    throw new UsageError(
      `${file}, line ${lineAt(text, text.length)}: the dump ends without "-- Dump completed"; it is cut off: dump it again`,
    );
  const [, encoding = 'utf8'] = /\bSET NAMES (\w+)/i.exec(text.slice(0, 5000)) ?? [];
  if (!/^utf8(?:mb3|mb4)?$/i.test(encoding))
    throw new UsageError(
      `${file}: expected a dump in UTF-8, got ${encoding}; dump it with --default-character-set=utf8mb4`,
    );
}

function lineAt(text: string, position: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < position; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
}

const space = /\s*/y;
const wordPattern = /[A-Za-z_]+/y;
const bareName = /[\w$]+/y;
const number = /-?(?:0x[\da-fA-F]*|\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)/y;

// What mysqldump writes after a backslash. Any other character stands for itself.
const escapes: Readonly<Record<string, string>> = {
  '0': '\0',
  n: '\n',
  r: '\r',
  t: '\t',
  b: '\b',
  Z: '\x1a',
};

class Reader {
  readonly #file: string;
  readonly #text: string;
  #at = 0;

  constructor(file: string, text: string) {
    this.#file = file;
    this.#text = text;
  }

  problem(what: string): UsageError {
    return new UsageError(`${this.#file}, line ${lineAt(this.#text, this.#at)}: ${what}`);
  }

  #cutOff(): UsageError {
    return this.problem('the file ends in the middle of a statement; it is cut off: dump it again');
  }

  /** The first word of the next statement, in capitals; `undefined` at the end. */
  nextStatement(): string | undefined {
    for (;;) {
      this.#skipSpace();
      if (this.#at >= this.#text.length) return undefined;
      const word = this.#match(wordPattern);
      if (word !== undefined) return word.toUpperCase();
      this.#at += 1;
    }
  }

  /** To the end of the statement. A semicolon in a text or a comment does not end it. */
  skipStatement(): void {
    for (;;) {
      this.#skipSpace();
      const next = this.#text[this.#at];
      if (next === undefined) throw this.#cutOff();
      if (next === ';') {
        this.#at += 1;
        return;
      }
      if (next === "'" || next === '"' || next === '`') this.#quoted(next);
      else this.#at += 1;
    }
  }

  takes(sign: string): boolean {
    this.#skipSpace();
    if (this.#text[this.#at] !== sign) return false;
    this.#at += 1;
    return true;
  }

  takesWord(expected: string): boolean {
    this.#skipSpace();
    const from = this.#at;
    if (this.#match(wordPattern)?.toUpperCase() === expected) return true;
    this.#at = from;
    return false;
  }

  /** The last part of a name with a database. */
  name(): string {
    let name = this.#namePart();
    while (this.takes('.')) name = this.#namePart();
    return name;
  }

  #namePart(): string {
    this.#skipSpace();
    const next = this.#text[this.#at] ?? '';
    const name = next === '`' || next === '"' ? this.#quoted(next) : this.#match(bareName);
    if (name === undefined) throw this.problem('expected a name');
    return name.toLowerCase();
  }

  names(): string[] {
    const names: string[] = [];
    do names.push(this.name());
    while (this.takes(','));
    if (!this.takes(')')) throw this.problem('expected ) after the names of columns');
    return names;
  }

  /** The columns of a CREATE TABLE: lines that begin with a quoted name. Keys begin with a word. */
  columnsOfTable(): string[] {
    if (!this.takes('(')) return [];
    const names: string[] = [];
    for (let depth = 1, isFirst = true; depth > 0; ) {
      this.#skipSpace();
      const next = this.#text[this.#at];
      if (next === undefined) throw this.#cutOff();
      if (next === '`' || next === '"' || next === "'") {
        const name = this.#quoted(next);
        if (isFirst && depth === 1 && next !== "'") names.push(name.toLowerCase());
        isFirst = false;
        continue;
      }
      this.#at += 1;
      if (next === '(') depth += 1;
      if (next === ')') depth -= 1;
      isFirst = next === ',' && depth === 1;
    }
    return names;
  }

  row(): SqlValue[] {
    if (!this.takes('('))
      throw this.#text.length <= this.#at
        ? this.#cutOff()
        : this.problem('expected ( before the values of a row');
    const values: SqlValue[] = [];
    do values.push(this.#value());
    while (this.takes(','));
    if (!this.takes(')'))
      throw this.#text.length <= this.#at
        ? this.#cutOff()
        : this.problem('expected ) after the values of a row');
    return values;
  }

  #value(): SqlValue {
    this.#skipSpace();
    const next = this.#text[this.#at];
    if (next === undefined) throw this.#cutOff();
    if (next === "'") return this.#quoted(next);
    const digits = this.#match(number);
    if (digits !== undefined)
      return digits.startsWith('0x') ? Buffer.from(digits.slice(2), 'hex').toString('utf8') : digits;
    const word = this.#match(wordPattern) ?? '';
    if (word.toUpperCase() === 'NULL') return null;
    // _binary '…', and b'1' of a bit.
    if (this.#text[this.#at] === "'" || word.startsWith('_')) {
      const text = this.#value() ?? '';
      return word.toLowerCase() === 'b' ? String(Number.parseInt(text, 2)) : text;
    }
    throw this.problem('expected a value: a text, a number or NULL');
  }

  #quoted(quote: string): string {
    let text = '';
    this.#at += 1;
    for (let from = this.#at; ; this.#at += 1) {
      const next = this.#text[this.#at];
      if (next === undefined) throw this.#cutOff();
      if (next === '\\' && quote !== '`') {
        const escaped = this.#text[this.#at + 1] ?? '';
        text += this.#text.slice(from, this.#at) + (escapes[escaped] ?? escaped);
        this.#at += 1;
        from = this.#at + 1;
      } else if (next === quote) {
        text += this.#text.slice(from, this.#at);
        this.#at += 1;
        if (this.#text[this.#at] !== quote) return text;
        // Twice: the sign itself.
        text += quote;
        from = this.#at + 1;
      }
    }
  }

  /** Spaces and comments, also those that only some versions run. */
  #skipSpace(): void {
    for (;;) {
      this.#match(space);
      const two = this.#text.slice(this.#at, this.#at + 2);
      let end: number;
      if (two === '/*') end = this.#text.indexOf('*/', this.#at) + 2;
      else if (two.startsWith('#') || /^--(?:\s|$)/.test(this.#text.slice(this.#at, this.#at + 3)))
        end = this.#text.indexOf('\n', this.#at) + 1;
      else return;
      if (end < 2) {
        if (two === '/*') throw this.#cutOff();
        end = this.#text.length;
      }
      this.#at = end;
    }
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const [found] = pattern.exec(this.#text) ?? [];
    if (found !== undefined) this.#at += found.length;
    return found;
  }
}
