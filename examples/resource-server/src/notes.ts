import { DatabaseSync } from 'node:sqlite';

/** A person as the authorization server knows them. A name is unique only at one identity provider. */
export interface Owner {
  readonly authority: string;
  readonly name: string;
}

export interface Note {
  readonly id: number;
  readonly text: string;
  /** Epoch milliseconds. */
  readonly created: number;
}

export interface Notes {
  /** The newest hundred notes of one person, newest first. */
  of(owner: Owner): Note[];
  add(owner: Owner, text: string): Note;
  /** Removes all notes of one person. */
  removeAll(owner: Owner): void;
  /** How many there are, and of how many people. */
  count(): Statistics;
  close(): void;
}

export interface Statistics {
  readonly notes: number;
  readonly people: number;
}

/** @param file of a SQLite database; `:memory:` keeps nothing beyond the process */
export function openNotes(file: string): Notes {
  const database = new DatabaseSync(file);
  database.exec(`
    create table if not exists note (
      id integer primary key,
      authority text not null,
      owner text not null,
      text text not null,
      created integer not null
    ) strict;
    create index if not exists note_of_owner on note (authority, owner, id);
  `);
  const select = database.prepare(
    'select id, text, created from note where authority = ? and owner = ? order by id desc limit 100',
  );
  const insert = database.prepare(
    'insert into note (authority, owner, text, created) values (?, ?, ?, ?) returning id, text, created',
  );
  const remove = database.prepare('delete from note where authority = ? and owner = ?');
  const count = database.prepare(
    'select count(*) as notes, count(distinct json_array(authority, owner)) as people from note',
  );
  return {
    of: ({ authority, name }) => select.all(authority, name).map(noteOf),
    add: ({ authority, name }, text) => noteOf(insert.get(authority, name, text, Date.now())),
    removeAll: ({ authority, name }) => void remove.run(authority, name),
    count() {
      const { notes, people } = count.get() ?? {};
      return { notes: Number(notes), people: Number(people) };
    },
    close: () => database.close(),
  };
}

function noteOf(row: Record<string, unknown> | undefined): Note {
  return { id: Number(row?.id), text: String(row?.text), created: Number(row?.created) };
}
