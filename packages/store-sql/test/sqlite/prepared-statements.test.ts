import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { runQuery } from '../../src/dialects/sqlite/threads/run-query.ts';

describe('a statement that SQLite has prepared before', () => {
  const connected = () => {
    const db = new DatabaseSync(':memory:');
    db.exec('create table notes (id integer primary key, text text); insert into notes values (1, null)');
    return Object.assign(db, { [Symbol.dispose]: () => db.close() });
  };
  const all = (db: DatabaseSync) =>
    runQuery(db, 'select * from notes', []).rows.map((row) => ({ ...(row as object) }));

  it('answers with the columns that its table has now', () => {
    using db = connected();
    assert.deepEqual(all(db), [{ id: 1, text: null }]);
    db.exec('alter table notes add column colour text; alter table notes drop column text');
    assert.deepEqual(all(db), [{ id: 1, colour: null }]);
    db.exec('drop table notes; create table notes (name text); insert into notes values (2)');
    assert.deepEqual(all(db), [{ name: '2' }]);
  });

  it('runs again after it has failed', () => {
    using db = connected();
    const add = (id: number) => runQuery(db, 'insert into notes values (?, ?)', [id, 'x']).changes;
    assert.throws(() => add(1), /UNIQUE/);
    assert.equal(add(2), 1);
    assert.throws(() => add(2), /UNIQUE/);
    assert.deepEqual(all(db).length, 2);
  });

  it('is forgotten after a hundred others, and prepared anew', () => {
    using db = connected();
    let count = 0;
    const { prepare } = db;
    db.prepare = (...given) => {
      count += 1;
      return prepare.apply(db, given);
    };
    for (let id = 0; id < 100; id += 1) all(db);
    assert.equal(count, 1);
    for (let id = 0; id < 100; id += 1) runQuery(db, `select ${id} from notes`, []);
    assert.equal(count, 101);
    assert.equal(all(db).length, 1);
    assert.equal(count, 102);
  });
});
