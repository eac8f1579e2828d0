import type { StatisticsStore } from '@watchword/protocol';
import type { ExpressionBuilder, Kysely } from 'kysely';
import { readTokensOfClient } from '../grants/client-tokens.ts';
import type { TokenSegments } from '../grants/token-segments.ts';
import { leastIdAt } from '../hot/token-id.ts';
import type { Schema } from '../schema/schema.ts';
import { issuedByHour } from './issued-by-hour.ts';
import { issuedToClient } from './issued-to-client.ts';

/** @param near for lookups by key, which must not start the thread of the lists */
export function sqlStatistics(
  db: Kysely<Schema>,
  near: Kysely<Schema>,
  segments: TokenSegments,
): StatisticsStore {
  return {
    async countOf({ id, tokensValidFrom }, now, limit) {
      const least = leastIdAt(tokensValidFrom + 1);
      const isUnexpired = (where: ExpressionBuilder<{ newest: { expires: number } }, 'newest'>) =>
        where.or([where('newest.expires', '=', 0), where('newest.expires', '>', now)]);
      const newest = { clientRecordId: id, order: 'desc', after: least } as const;
      const tokens = await readTokensOfClient(
        db,
        segments,
        newest,
        limit,
        db.selectFrom('access_token as token').select(['token.id', 'token.expires']),
      );
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
        tokens: tokens.filter(({ expires }) => expires === 0 || expires > now).length,
        resourceOwners: Number(ofGrants.owners),
        read: tokens.length + Number(ofGrants.read ?? 0),
      };
    },

    ...issuedByHour(db, near),
    ...issuedToClient(db),
  };
}
