import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { engine, onlyOn } from '@watchword/server-testkit/servers/engine';
import { insertSql } from '../support/insert-sql.ts';
import { type TestDatabase, testDatabase } from '../support/test-database.ts';

const rows = 3600;
const gone = 'https://gone.example';

/** Every third row of each kind is of the removed identity provider, and a tenth of the grants is revoked. */
async function fill(database: TestDatabase): Promise<void> {
  const numbers = `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${rows})`;
  const identity_provider = `case when i % 3 = 0 then '${gone}' else 'password' end`;
  const id = {
    sqlite: "unhex(printf('%032x', i))",
    postgresql: "decode(lpad(to_hex(i), 32, '0'), 'hex')",
  }[engine];
  const insert = async (table: string, values: Readonly<Record<string, string>>) => {
    const rowsOf = await insertSql(database, table, { identity_provider, ...values }, 'from n');
    await database.sql(`${numbers} ${rowsOf}`);
  };
  const grant = { principal_name: "'p' || (i % 700)", revoked_at: 'case when i % 10 = 0 then 1 end' };
  await insert('authorization_grant', { id, ...grant });
  await insert('login_session', { id, principal_name: "'p'", expires: '9e15' });
  await insert('consent', { client_record_id: '1 + i % 7', principal_name: "'p' || i" });
}

const third = rows / 3;

describe('the records of the users of an identity provider', () => {
  it('are counted and ended completely, in any number, while other writes continue', async () => {
    await using database = await testDatabase();
    const store = await database.openServer();
    await fill(database);
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
    assert.equal(await database.count('authorization_grant where revoked_at = 5'), count.grants);
  });

  const plans = onlyOn('sqlite', 'reads the plans of SQLite');
  it('are read in the order of an index, and rows before a window are not read again', plans, async () => {
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
