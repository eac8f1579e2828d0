import type { Client, ClientAccess, StatisticsStore } from '@watchword/protocol';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { leastIdAt } from '../hot/token-id.ts';
import { inParts } from '../queries/in-parts.ts';
import { parseScopes } from '../queries/scope-column.ts';
import type { Schema } from '../schema/schema.ts';

interface Row {
  readonly client_record_id: number;
  readonly scopes: string;
  readonly owners: number;
}

/** Reads the newest grants of each client by its index, and returns one row for each of its owners or combinations of scopes. */
export function accessToClients(db: Kysely<Schema>): Pick<StatisticsStore, 'accessTo'> {
  return {
    async accessTo(clients, now, limit) {
      const found: ClientAccess[] = [];
      for (const part of inParts(clients)) {
        const isValid = sql<boolean>`revoked_at is null and (expires = 0 or expires > ${now})`;
        const newest = sql`(${sql.join(
          part.map((client) => newestOf(client, limit)),
          sql` union all `,
        )}) as newest`;
        const rows = await rowsOf(db, newest, isValid);
        for (const [clientRecordId, own] of Map.groupBy(rows, (row) => row.client_record_id)) {
          found.push({
            clientRecordId,
            resourceOwners: Number(own.find(({ owners }) => owners > 0)?.owners ?? 0),
            scopes: own.flatMap(({ owners, scopes }) => (owners > 0 ? [] : [parseScopes(scopes)])),
          });
        }
      }
      return found;
    },
  };
}

/** For each client a row with the number of its owners, and one for each combination of scopes. */
async function rowsOf(
  db: Kysely<Schema>,
  newest: RawBuilder<unknown>,
  isValid: RawBuilder<boolean>,
): Promise<Row[]> {
  const [owners, scopes] = await Promise.all([
    sql<Row>`select client_record_id, '' as scopes, count(*) as owners from (
        select distinct client_record_id, identity_provider, principal_name from ${newest} where ${isValid}
      ) as owner group by client_record_id`.execute(db),
    sql<Row>`select distinct client_record_id, scopes, 0 as owners from ${newest} where ${isValid}`.execute(
      db,
    ),
  ]);
  return [...owners.rows, ...scopes.rows].map((row) => ({ ...row, owners: Number(row.owners) }));
}

function newestOf(
  { id, tokensValidFrom }: Pick<Client, 'id' | 'tokensValidFrom'>,
  limit: number,
): RawBuilder<unknown> {
  return sql`select * from (
    select client_record_id, identity_provider, principal_name, scopes, expires, revoked_at from authorization_grant
    where client_record_id = ${id} and id >= ${leastIdAt(tokensValidFrom + 1)}
    order by id desc limit ${limit}) as of_client`;
}
