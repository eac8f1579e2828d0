import { isHomeOfOpenClients, listedTime, type ResourceServer } from '@watchword/protocol';
import { type ExpressionBuilder, type Kysely, sql } from 'kysely';
import { toResourceServer } from '../records/record-columns.ts';
import type { Schema } from '../schema/schema.ts';
import type { PurgeOptions } from './batches.ts';

/**
 * The ids of resource servers whose clients can get JWT access tokens: also the home of clients that belong to none, if there are any. They
 * learn of revocations while tokens can be valid.
 */
export async function jwtResourceServers(db: Kysely<Schema>): Promise<number[]> {
  const rows = await db.selectFrom('resource_server').selectAll().where('deleted_at', 'is', null).execute();
  const servers = rows.map(toResourceServer);
  const takesJwts = ({ accessTokenFormat }: ResourceServer) => accessTokenFormat === 'jwt';
  if (!servers.some(takesJwts)) return [];
  return servers.filter((server) => takesJwts(server) || isHomeOfOpenClients(server)).map(({ id }) => id);
}

/** The ids of their clients. One entry in the list of revocations covers all grants of a deleted client. */
export async function jwtClients(db: Kysely<Schema>): Promise<ReadonlySet<number>> {
  const servers = await jwtResourceServers(db);
  if (servers.length === 0) return new Set();
  const rows = await db
    .selectFrom('client')
    .select('id')
    .where((where) =>
      where.or([where('resource_server_id', 'in', servers), where('other_servers', 'is not', null)]),
    )
    .where('deleted_at', 'is', null)
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** Epoch milliseconds: earlier revocations are not listed any more. */
export function listedFrom({ expiredBefore }: Pick<PurgeOptions, 'expiredBefore'>): number {
  return expiredBefore - listedTime;
}

/** A condition on deleted clients. Resource servers must learn of the deletion while JWTs of the client can be valid. */
export function isUnlisted(
  where: ExpressionBuilder<Schema, 'client'>,
  jwtResourceServers: readonly number[],
  options: Pick<PurgeOptions, 'expiredBefore'>,
) {
  if (jwtResourceServers.length === 0) return sql<boolean>`true`;
  return where.or([
    where('deleted_at', '<', listedFrom(options)),
    where.and([
      where('resource_server_id', 'not in', jwtResourceServers),
      where('other_servers', 'is', null),
    ]),
  ]);
}
