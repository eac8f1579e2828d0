import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { grantFactory } from '@watchword/testkit';
import { idToBytes } from '../src/token-id.ts';
import { migrateUpTo } from './support/migrate-up-to.ts';
import { testDatabase } from './support/test-database.ts';

describe('the migration 0007-trusted-clients', () => {
  it('trusts what was made at the command line and the clients of the server itself, and no other', async () => {
    await using database = await testDatabase();
    await migrateUpTo(database.file, '0006-federated-login');
    const connection = database.connect();
    const server = (
      id: number,
      authority: string,
    ) => `(${id}, 'api${id}', x'00', 0, 'API ${id}', '', '', 'Ann',
      '', '', 'emma', '${authority}', 1, 1)`;
    const rest = `x'00', null, 0, 'n', '', 'a', '', ''`;
    const flags = `'', '[]', 0, 0, 0, 0, 0, 0, '{}', 0, 1, 1, null`;
    const client = (id: number, serverId: number) => `(${id}, 'c${id}', ${rest}, ${serverId}, ${flags})`;
    const event = (number: number, authority: string, action: string, recordType: string, recordId: number) =>
      `(x'${number}0', 1, '${authority}', 'x', null, '', '${action}', '${recordType}', '${recordId}', 'x', '', 'x', null, null)`;
    connection.exec(`
      insert into resource_server (id, key, secret_hash, previous_secret_valid_until, name, description, scopes,
        contact_name, contact_email, thumb_nail_url, owner, owner_authority, creation_date, revision)
        values ${server(1, '')}, ${server(2, 'system')}, ${server(3, 'password')};
      insert into client values ${[
        client(1, 1),
        client(2, 2),
        client(3, 3),
        client(4, 3),
        client(5, 3),
        client(6, 3),
        client(7, 1),
      ].join()};
      insert into audit_event values ${[
        event(1, 'cli', 'create', 'client', 4),
        event(2, 'cli', 'create', 'client', 5),
        event(3, 'password', 'update', 'client', 5),
        event(4, 'cli', 'create', 'resourceServer', 6),
        event(5, 'password', 'create', 'client', 7),
        event(6, 'cli', 'update', 'client', 4),
        event(7, 'cli', 'update', 'client', 3),
      ].join()};
    `);
    const { clients } = await database.openServer();
    const found = await clients.list({ limit: 9 });
    assert.deepEqual(
      found.map(({ clientId, trusted }) => [clientId, trusted]),
      [
        ['c1', true],
        ['c2', true],
        ['c3', false],
        ['c4', true],
        ['c5', false],
        ['c6', false],
        ['c7', false],
      ],
    );
  });
});

describe('the migration 0008-repeated-rotations', () => {
  it('keeps the refresh tokens that are there, and counts their repetitions from then on', async () => {
    await using database = await testDatabase();
    await migrateUpTo(database.file, '0007-trusted-clients');
    const make = grantFactory();
    const grant = make.grant();
    const [old, successor, next] = [make.tokens(grant), make.tokens(grant), make.tokens(grant)];
    const connection = database.connect();
    connection
      .prepare(`insert into "grant" values (?, 1, 'a', 'b', '{}', 'read', 0, 0, 0, null)`)
      .run(idToBytes(grant.id));
    const insert = connection.prepare(
      `insert into refresh_token values (?, x'00', ?, 1, 'read', 9, 9, 0, ?, 'sealed', ?, ?)`,
    );
    const [id, grantId] = [idToBytes(successor.refreshToken.id), idToBytes(grant.id)];
    insert.run(idToBytes(old.refreshToken.id), grantId, 1, id, 10);
    insert.run(id, grantId, null, null, 0);
    const { refreshTokens } = await database.openServer();
    const repeat = (token: typeof old, streak: number) =>
      refreshTokens.repeatRotation(token.refreshToken.id, { repetitions: 1, streak });
    assert.deepEqual([await repeat(old, 2), await repeat(old, 2)], ['answered', 'exhausted']);
    assert.equal(await refreshTokens.rotate(successor.refreshToken.id, next, 'sealed', 2), true);
    assert.deepEqual([await repeat(old, 2), await repeat(successor, 2)], ['used', 'streak']);
  });
});
