import assert from 'node:assert/strict';
import type { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { testDatabase } from './support/test-database.ts';

const rows = 12_000;
const gone = 'https://gone.example';

/** Every third row of each kind is of the identity provider that is gone, and a tenth of the grants is revoked. */
function fill(db: DatabaseSync): void {
  const numbers = `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${rows})`;
  const authority = `iif(i % 3 = 0, '${gone}', 'password')`;
  const id = `unhex(printf('%032x', i))`;
  db.exec(`begin;
    ${numbers} insert into "grant" select ${id}, 1, ${authority}, printf('p%d', i % 700), '{}', '', 0, 0, 0,
      iif(i % 10 = 0, 1, null) from n;
    ${numbers} insert into login_session select ${id}, x'', 'x', ${authority}, 'p', '{}', 0, 0, 9e15 from n;
    ${numbers} insert into consent select i, 1, ${authority}, printf('p%d', i), '', '', 0 from n;
    commit`);
}

const third = rows / 3;

describe('what people have of an identity provider', () => {
  it('is counted and ended whole, however much there is, while others go on', async () => {
    await using database = await testDatabase();
    const store = await database.openServer();
    const connection = database.connect();
    fill(connection);
    const of = async (name: string) =>
      (await store.identityProviderUse.list()).find(({ identityProvider }) => identityProvider === name);
    const count = { loginSessions: third, grants: third * 0.9, consents: third };
    assert.deepEqual(await of(gone), { identityProvider: gone, ...count });
    const others = await of('password');

    const ending = store.identityProviderUse.end(gone, 5);
    // A write that comes meanwhile is answered before the end.
    await store.oneTime.put('x', 'y', 1);
    assert.deepEqual(await ending, count);
    assert.equal(await of(gone), undefined);
    assert.deepEqual(await of('password'), others);
    const revoked = connection.prepare('select count(*) as rows from "grant" where revoked_at = 5').get();
    assert.equal(revoked?.rows, count.grants);
  });

  it('is read in the order of an index, and what comes before a window is not read again', async () => {
    await using database = await testDatabase();
    await (await database.openServer()).close();
    const connection = database.connect();
    const plan = (sql: string) =>
      connection
        .prepare(`explain query plan ${sql}`)
        .all()
        .map(({ detail }) => String(detail));
    for (const [sql, expected] of [
      [
        `select authority from "grant" where revoked_at is null and (principal_name, authority, id) > ('', '', x'')
           order by principal_name, authority, id`,
        /^SEARCH grant USING INDEX grant_owner \(\(principal_name,authority,id\)>/,
      ],
      [
        `select authority from login_session where true and (authority, principal_name, id) > ('', '', x'')
           order by authority, principal_name, id`,
        /^SEARCH login_session USING COVERING INDEX login_session_owner \(\(authority,principal_name,id\)>/,
      ],
      [
        'select authority from consent where true and (id) > (0) order by id',
        /^SEARCH consent USING INTEGER PRIMARY KEY \(rowid>/,
      ],
    ] as const) {
      const [only = '', ...others] = plan(sql);
      assert.match(only, expected);
      assert.deepEqual(others, []);
    }
  });
});
