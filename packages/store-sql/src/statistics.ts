import type { StatisticsStore } from '@watchword/protocol';
import type { Kysely } from 'kysely';
import type { Schema } from './schema.ts';
import { leastIdAt } from './token-id.ts';

const rowsPerStatement = 200;

export function sqlStatistics(db: Kysely<Schema>): StatisticsStore {
  return {
    async countOf({ id, tokensValidFrom }, now, limit) {
      const least = leastIdAt(tokensValidFrom + 1);
      const { tokens } = await db
        .selectFrom((from) =>
          from
            .selectFrom('access_token')
            .select('expires')
            .where('client_record_id', '=', id)
            .where('id', '>=', least)
            .orderBy('id', 'desc')
            .limit(limit)
            .as('newest'),
        )
        .select(({ fn }) => fn.countAll<number>().as('tokens'))
        .where((where) => where.or([where('expires', '=', 0), where('expires', '>', now)]))
        .executeTakeFirstOrThrow();
      const { owners } = await db
        .selectFrom((from) =>
          from
            .selectFrom((newest) =>
              newest
                .selectFrom('grant')
                .select(['authority', 'principal_name', 'expires', 'revoked_at'])
                .where('client_record_id', '=', id)
                .where('id', '>=', least)
                .orderBy('id', 'desc')
                .limit(limit)
                .as('newest'),
            )
            .select(['authority', 'principal_name'])
            .distinct()
            .where('revoked_at', 'is', null)
            .where((where) => where.or([where('expires', '=', 0), where('expires', '>', now)]))
            .as('owner'),
        )
        .select(({ fn }) => fn.countAll<number>().as('owners'))
        .executeTakeFirstOrThrow();
      return { tokens: Number(tokens), resourceOwners: Number(owners) };
    },

    async addIssued(counts) {
      for (let start = 0; start < counts.length; start += rowsPerStatement) {
        await db
          .insertInto('issued_count')
          .values(
            counts
              .slice(start, start + rowsPerStatement)
              .map(({ hour, clientRecordId, grantType, tokens }) => ({
                hour,
                client_record_id: clientRecordId,
                grant_type: grantType,
                tokens,
              })),
          )
          .onConflict((conflict) =>
            conflict.columns(['hour', 'client_record_id', 'grant_type']).doUpdateSet((update) => ({
              tokens: update('issued_count.tokens', '+', update.ref('excluded.tokens')),
            })),
          )
          .execute();
      }
    },

    async issued({ from, until, owner }) {
      let query = db
        .selectFrom('issued_count')
        .select(['hour', 'grant_type'])
        .select(({ fn }) => fn.sum<number>('tokens').as('tokens'))
        .where('hour', '>=', from)
        .where('hour', '<', until)
        .groupBy(['hour', 'grant_type'])
        .orderBy('hour')
        .orderBy('grant_type');
      if (owner !== undefined) {
        query = query.where('client_record_id', 'in', (select) =>
          select
            .selectFrom('client')
            .innerJoin('resource_server as server', 'server.id', 'client.resource_server_id')
            .select('client.id')
            .where('client.deleted_at', 'is', null)
            .where('server.deleted_at', 'is', null)
            .where('server.owner', '=', owner.name)
            .where('server.owner_authority', '=', owner.authority),
        );
      }
      return (await query.execute()).map(({ hour, grant_type, tokens }) => ({
        hour,
        grantType: grant_type,
        tokens: Number(tokens),
      }));
    },
  };
}
