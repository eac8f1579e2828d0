import { DatabaseSync } from 'node:sqlite';
import { query } from '@watchword/testkit/postgresql';
import { type Dialect, postgresql, sqlite } from '../../data/growth-database.ts';
import { httpLoad } from '../../load/http-load.ts';
import type { Load } from '../../load/pace.ts';
import { type RegisteredClient, refreshRequest, refreshTokenOf } from '../../load/token-requests.ts';
import { connections } from '../../rounds/loads.ts';

/** A client with a refresh token that was not used. */
export interface Holder {
  readonly client: RegisteredClient;
  readonly refreshToken: string;
}

/** The row of an unused refresh token. */
export interface HeldToken {
  readonly id: Uint8Array;
  readonly clientId: string;
}

/** Which refresh tokens are made. All have this digest of their verifier. */
export interface Grants {
  readonly count: number;
  /** SQL condition: the clients that get them in turn. */
  readonly clients: string;
  readonly verifierHash: Uint8Array;
}

const hourMs = 3_600_000;
const yearMs = 365 * 24 * hourMs;

/** Statements that make grants of different persons, like the first one of the database, each with a refresh token. */
function* statements(dialect: Dialect, { count, clients, verifierHash }: Grants): Generator<string> {
  const { numbers, id, bytes } = dialect;
  const now = Date.now();
  const same = 'identity_provider, principal, authentication, scopes, claims';
  yield `create temporary table made as
    select ${id(String(now))} as grant_id, ${id(String(now))} as token_id, i,
      (select client.id from client where ${clients} order by client.id limit 1)
        + i * 7919 % (select count(*) from client where ${clients}) as client
    from ${numbers(0, count - 1)}`;
  yield `insert into authorization_grant (id, client_record_id, principal_name, subject, creation_date, last_used, expires, ${same})
    select grant_id, client, 'person-' || i, '${now}-' || i, ${now}, ${now}, ${now + yearMs}, ${same}
    from made, (select ${same} from authorization_grant order by id limit 1) as first`;
  yield `insert into refresh_token (id, verifier_hash, client_record_id, scopes, expires, creation_date, grant_id,
      absolute_expires, repetitions, streak)
    select token_id, ${bytes(verifierHash)}, client, 'read', ${now + yearMs}, ${now}, grant_id, ${now + yearMs}, 0, 0
    from made`;
  yield 'drop table made';
}

const unused = `select refresh_token.id, client.client_id as "clientId" from refresh_token
  join client on client.id = refresh_token.client_record_id where rotated_at is null and verifier_hash = `;

/** Makes refresh tokens that nobody has used, in a database that has a grant. @returns all of them, in random order */
export function sqliteRefreshTokens(file: string, grants: Grants): readonly HeldToken[] {
  const database = new DatabaseSync(file);
  for (const statement of statements(sqlite, grants)) database.exec(statement);
  const rows = database.prepare(`${unused}? order by random()`).all(grants.verifierHash);
  database.close();
  return rows as unknown as readonly HeldToken[];
}

export async function postgresqlRefreshTokens(url: string, grants: Grants): Promise<readonly HeldToken[]> {
  // One text, so that one connection has the temporary table.
  await query(url, [...statements(postgresql, grants)].join(';\n'));
  const rows = await query(url, `${unused}$1 order by random()`, [grants.verifierHash]);
  return rows as unknown as readonly HeldToken[];
}

/** Exchanges refresh tokens, the longest unused one first. Each new one is used after all others. */
export async function refreshLoad(port: number, forMs: number, holders: Holder[]): Promise<Load> {
  const clients: RegisteredClient[] = [];
  // Taking from the front of a long array would copy it.
  let first = 0;
  const load = await httpLoad({
    port,
    connections,
    durationMs: forMs,
    requests: {
      next(connection) {
        const holder = holders[first];
        if (holder === undefined) throw new Error('there are fewer refresh tokens than connections');
        first += 1;
        clients[connection] = holder.client;
        return refreshRequest(port, holder.refreshToken, holder.client);
      },
      answered(connection, body) {
        const client = clients[connection];
        if (client !== undefined) holders.push({ client, refreshToken: refreshTokenOf(body) });
      },
    },
  });
  holders.splice(0, first);
  return load;
}
