import assert from 'node:assert/strict';
import type { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { insertSql } from './support/insert-sql.ts';
import { testDatabase } from './support/test-database.ts';

const rows = 12_000;
const gone = 'https://gone.example';

/** Every third row of each kind is of the removed identity provider, and a tenth of the grants is revoked. */
function fill(db: DatabaseSync): void {
  const numbers = `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${rows})`;
  const identity_provider = `iif(i % 3 = 0, '${gone}', 'password')`;
  const id = `unhex(printf('%032x', i))`;
  const insert = (table: string, values: Readonly<Record<string, string>>) =>
    db.exec(`${numbers} ${insertSql(db, table, { identity_provider, ...values }, 'from n')}`);
  db.exec('begin');
  const grant = { principal_name: "printf('p%d', i % 700)", revoked_at: 'iif(i % 10 = 0, 1, null)' };
  insert('authorization_grant', { id, ...grant });
  insert('login_session', { id, principal_name: "'p'", expires: '9e15' });
  insert('consent', { client_record_id: '1 + i % 7', principal_name: "printf('p%d', i)" });
  db.exec('commit');
}

const third = rows / 3;

describe('the records of the users of an identity provider', () => {
  it('are counted and ended completely, in any number, while other writes continue', async () => {
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
    // A concurrent write resolves before the end.
    await store.oneTime.put('x', 'y', 1);
    assert.deepEqual(await ending, count);
    assert.equal(await of(gone), undefined);
    assert.deepEqual(await of('password'), others);
    const revoked = connection
      .prepare('select count(*) as rows from authorization_grant where revoked_at = 5')
      .get();
    assert.equal(revoked?.rows, count.grants);
  });

  it('are read in the order of an index, and rows before a window are not read again', async () => {
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
        `select identity_provider from authorization_grant where revoked_at is null and (principal_name, identity_provider, id) > ('', '', x'')
           order by principal_name, identity_provider, id`,
        /^SEARCH authorization_grant USING INDEX authorization_grant_owner \(\(principal_name,identity_provider,id\)>/,
      ],
      [
        `select identity_provider from login_session where true and (identity_provider, principal_name, id) > ('', '', x'')
           order by identity_provider, principal_name, id`,
        /^SEARCH login_session USING COVERING INDEX login_session_owner \(\(identity_provider,principal_name,id\)>/,
      ],
      [
        `select identity_provider from consent
           where true and (client_record_id, identity_provider, principal_name, redirect_uri) > (0, '', '', '')
           order by client_record_id, identity_provider, principal_name, redirect_uri`,
        /^SEARCH consent USING PRIMARY KEY \(\(client_record_id,identity_provider,principal_name,redirect_uri\)>/,
      ],
    ] as const) {
      const [only = '', ...others] = plan(sql);
      assert.match(only, expected);
      assert.deepEqual(others, []);
    }
  });
});
