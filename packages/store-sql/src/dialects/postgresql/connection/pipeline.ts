import type { Connection, FieldDef, Submittable } from 'pg';
import { toPostgresqlError } from './postgresql-error.ts';
import type { SessionQuery, SessionResult } from './session.ts';
import { type Decode, decoderOf, encode } from './values.ts';

/** The columns of a statement's rows. */
interface Columns {
  readonly names: readonly string[];
  readonly decoders: readonly (Decode | undefined)[];
}

const noColumns: Columns = { names: [], decoders: [] };

/** The named statements of a connection, with the columns of their rows. */
export class PreparedStatements {
  readonly #columns = new Map<string, Columns>();
  /** Names that an interrupted pipeline has prepared or not. */
  readonly #uncertain = new Set<string>();

  columnsOf(name: string | undefined): Columns | undefined {
    return name === undefined ? undefined : this.#columns.get(name);
  }

  isUncertain(name: string): boolean {
    return this.#uncertain.has(name);
  }

  isPrepared(name: string, columns: Columns): void {
    this.#columns.set(name, columns);
    this.#uncertain.delete(name);
  }

  isInterrupted(name: string): void {
    this.#uncertain.add(name);
  }
}

/** What node-postgres offers to senders of messages; its published types are those of an older release. */
interface Wire {
  readonly stream: { cork(): void; uncork(): void };
  parse(query: { name: string; text: string; types?: readonly number[] | undefined }): void;
  bind(config: { statement: string; values: readonly (string | Buffer | null)[] }): void;
  describe(message: { type: 'P'; name: string }): void;
  close(message: { type: 'S'; name: string }): void;
  execute(): void;
  sync(): void;
  sendCopyFail(text: string): void;
}

/**
 * Statements that are sent together and answered together (PostgreSQL documentation, "Pipelining"). node-postgres gives each
 * statement of its own pipeline mode a synchronization; here all have one, so that after an error none behind it runs. It also
 * costs less processor time (docs/adr/0069).
 */
export class Pipeline implements Submittable {
  readonly answer: Promise<SessionResult[]>;
  readonly #queries: readonly SessionQuery[];
  readonly #values: readonly (readonly (string | Buffer | null)[])[];
  /** Names that this pipeline prepares. */
  readonly #preparing = new Set<string>();
  readonly #prepared: PreparedStatements;
  readonly #results: SessionResult[] = [];
  readonly #caller = Promise.withResolvers<SessionResult[]>();
  #columns: Columns | undefined;
  #rows: (readonly unknown[])[] = [];
  /** A value that could not be read: it belongs to the caller, and the pipeline goes on to its end. */
  #unreadable: unknown;

  /** @throws RangeError, TypeError for a value that cannot be sent, before anything is sent */
  constructor(queries: readonly SessionQuery[], prepared: PreparedStatements) {
    this.#queries = queries;
    this.#values = queries.map(({ values }) => values.map(encode));
    this.#prepared = prepared;
    this.answer = this.#caller.promise;
  }

  submit(connection: Connection): void {
    const wire = connection as unknown as Wire;
    wire.stream.cork();
    try {
      this.#queries.forEach((query, index) => {
        this.#send(wire, query, this.#values[index] ?? []);
      });
      wire.sync();
    } finally {
      wire.stream.uncork();
    }
  }

  #send(
    wire: Wire,
    { name = '', text, types }: SessionQuery,
    values: readonly (string | Buffer | null)[],
  ): void {
    const isKnown = this.#prepared.columnsOf(name) !== undefined || this.#preparing.has(name);
    if (!isKnown) {
      if (this.#prepared.isUncertain(name)) wire.close({ type: 'S', name });
      wire.parse({ name, text, types });
      if (name !== '') this.#preparing.add(name);
    }
    wire.bind({ statement: name, values });
    if (!isKnown) wire.describe({ type: 'P', name: '' });
    wire.execute();
  }

  handleRowDescription({ fields }: { readonly fields: readonly FieldDef[] }): void {
    this.#columns = {
      names: fields.map(({ name }) => name),
      decoders: fields.map(({ dataTypeID }) => decoderOf(dataTypeID)),
    };
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    const { decoders } = this.#columns ?? this.#known();
    try {
      this.#rows.push(
        fields.map((text, index) => {
          const decode = decoders[index];
          return text === null || decode === undefined ? text : decode(text);
        }),
      );
    } catch (error) {
      this.#unreadable ??= error;
    }
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    const columns = this.#columns ?? this.#known();
    const { name } = this.#query();
    if (name !== undefined && this.#preparing.has(name)) this.#prepared.isPrepared(name, columns);
    this.#results.push({ rows: this.#rows, columns: columns.names, ...readTag(text) });
    this.#columns = undefined;
    this.#rows = [];
  }

  handleReadyForQuery(): void {
    if (this.#unreadable === undefined) this.#caller.resolve(this.#results);
    else this.#caller.reject(this.#unreadable);
  }

  handleError(error: unknown): void {
    for (const name of this.#preparing) {
      if (this.#prepared.columnsOf(name) === undefined) this.#prepared.isInterrupted(name);
    }
    this.#caller.reject(toPostgresqlError(error));
  }

  handleEmptyQuery(): void {
    this.handleCommandComplete({ text: '' });
  }

  // Statements ask for all of their rows, and none copies.
  handlePortalSuspended(): void {}
  handleCopyInResponse(connection: Connection): void {
    (connection as unknown as Wire).sendCopyFail('COPY is not supported');
  }
  handleCopyData(): void {}

  #query(): SessionQuery {
    return this.#queries[this.#results.length] as SessionQuery;
  }

  #known(): Columns {
    return this.#prepared.columnsOf(this.#query().name) ?? noColumns;
  }
}

/** A command tag begins with the command and ends with the number of rows, such as `INSERT 0 3`. */
function readTag(tag: string): Pick<SessionResult, 'changes' | 'command'> {
  const [command = '', ...rest] = tag.split(' ');
  const number = Number(rest.at(-1));
  return { command, changes: Number.isInteger(number) ? number : 0 };
}
