import type { StatisticsStore } from '@watchword/protocol';
import type { ExpressionBuilder, Kysely } from 'kysely';
import { leastIdAt } from './hot/token-id.ts';
import { issuedByHour } from './issued-by-hour.ts';
import { issuedToClient } from './issued-to-client.ts';
import type { Schema } from './schema.ts';

/** @param near for lookups by key, which must not start the thread of the lists */
export function sqlStatistics(db: Kysely<Schema>, near: Kysely<Schema>): StatisticsStore {
  return {
    async countOf({ id, tokensValidFrom }, now, limit) {
      const least = leastIdAt(tokensValidFrom + 1);
      const isUnexpired = (where: ExpressionBuilder<{ newest: { expires: number } }, 'newest'>) =>
        where.or([where('newest.expires', '=', 0), where('newest.expires', '>', now)]);
      const ofTokens = await db
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
        .select(({ fn }) => fn.countAll<number>().as('read'))
        .select(({ fn }) => fn.countAll<number>().filterWhere(isUnexpired).as('tokens'))
        .executeTakeFirstOrThrow();
      const ofGrants = await db
        .selectFrom((from) =>
          from
            .selectFrom((newest) =>
              newest
                .selectFrom('authorization_grant')
                .select(['identity_provider', 'principal_name', 'expires', 'revoked_at'])
                .where('client_record_id', '=', id)
                .where('id', '>=', least)
                .orderBy('id', 'desc')
                .limit(limit)
                .as('newest'),
            )
            .select(({ fn }) => fn.countAll<number>().as('read'))
            .select(({ fn }) =>
              fn
                .countAll<number>()
                .filterWhere((where) => where.and([where('revoked_at', 'is', null), isUnexpired(where)]))
                .as('valid'),
            )
            .groupBy(['identity_provider', 'principal_name'])
            .as('owner'),
        )
        .select(({ fn }) => fn.sum<number>('read').as('read'))
        .select(({ fn }) => fn.countAll<number>().filterWhere('valid', '>', 0).as('owners'))
        .executeTakeFirstOrThrow();
      return {
        tokens: Number(ofTokens.tokens),
        resourceOwners: Number(ofGrants.owners),
        read: Number(ofTokens.read) + Number(ofGrants.read ?? 0),
      };
    },

    ...issuedByHour(db, near),
    ...issuedToClient(db),
  };
}
