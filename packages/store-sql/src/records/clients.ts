import {
  type Client,
  type ClientStore,
  type Clock,
  changeDelay,
  formerResourceServers,
  latestNow,
  type NamedClient,
  type NewClient,
  type Scopes,
  secretsOf,
} from '@watchword/protocol';
import { type Kysely, sql, type Transaction, type UpdateObject } from 'kysely';
import { inParts } from '../queries/in-parts.ts';
import { nextNumber } from '../queries/number-sequence.ts';
import { forgetOtherUses } from '../queries/secret-uses.ts';
import type { Schema } from '../schema/schema.ts';
import { withSameText } from '../schema/search-columns.ts';
import type { ChangeConfiguration } from '../work/configuration-change.ts';
import { appendToOutbox } from '../work/outbox.ts';
import { activeClients, clientReads } from './client-reads.ts';
import { firstFree, latestCreationDate } from './new-record.ts';
import { clientColumns, toClient } from './record-columns.ts';
import { clientSecretColumns } from './secret-columns.ts';

type ClientScopes = Pick<ClientStore, 'loseScopes' | 'endTrust'>;

const trust = ['skip_consent', 'is_trusted', 'keeps_user_data'] as const;

/** Changes to all clients of a resource server that have a scope. */
function clientScopes(changeConfiguration: ChangeConfiguration): ClientScopes {
  return {
    loseScopes: (resourceServerId, scopes) =>
      changeConfiguration(async (transaction, revision) => {
        const affected = await withScopes(transaction, resourceServerId, scopes);
        // One statement for each scope and any number of clients. The column has each scope once.
        for (const scope of scopes) {
          await updateThoseWith(transaction, resourceServerId, scope)
            .set({ scopes: sql<string>`trim(${paddedScopes(scope).without})`, ...withSameText(revision) })
            .execute();
        }
        return affected;
      }),

    endTrust: (resourceServerId, scopes) =>
      changeConfiguration(async (transaction, revision) => {
        const found = await withScopes(transaction, resourceServerId, scopes);
        for (const scope of scopes) {
          await updateThoseWith(transaction, resourceServerId, scope)
            .where(({ or, eb }) => or(trust.map((column) => eb(column, '=', 1))))
            .set({ skip_consent: 0, is_trusted: 0, keeps_user_data: 0, ...withSameText(revision) })
            .execute();
        }
        return found.filter(
          ({ skipConsent, trusted, keepsUserData }) => skipConsent || trusted || keepsUserData,
        );
      }),
  };
}

async function withScopes(
  query: Kysely<Schema>,
  resourceServerId: number,
  scopes: Scopes,
): Promise<Client[]> {
  const ofServer = await activeClients(query).where('resource_server_id', '=', resourceServerId).execute();
  return ofServer.map(toClient).filter((client) => client.scopes.some((scope) => scopes.includes(scope)));
}

function updateThoseWith(transaction: Transaction<Schema>, resourceServerId: number, scope: string) {
  const { padded, without } = paddedScopes(scope);
  return transaction
    .updateTable('client')
    .where('resource_server_id', '=', resourceServerId)
    .where('deleted_at', 'is', null)
    .where(without, '<>', padded);
}

/** The column with a space at each end, and the same without the scope. They differ if the column has the scope. */
function paddedScopes(scope: string) {
  const padded = sql<string>`' ' || scopes || ' '`;
  return { padded, without: sql<string>`replace(${padded}, ${` ${scope} `}, ' ')` };
}

export function sqlClients(
  db: Kysely<Schema>,
  changeConfiguration: ChangeConfiguration,
  clock: Clock,
): ClientStore {
  return {
    ...clientReads(db),
    ...clientScopes(changeConfiguration),
    ...clientRegistration(changeConfiguration, clock),
    ...clientChanges(changeConfiguration, clock),
  };
}

function clientRegistration(
  changeConfiguration: ChangeConfiguration,
  clock: Clock,
): Pick<ClientStore, 'create' | 'createAll' | 'update'> {
  return {
    create: (client, candidates) =>
      changeConfiguration(async (transaction, revision) => {
        if (!(await haveServers(transaction, [client]))) return undefined;
        const clientId = await firstFree(candidates, (candidate) =>
          activeClients(transaction).where('client_id', '=', candidate).executeTakeFirst(),
        );
        const [created] = await insertClients(transaction, [{ ...client, clientId }], revision, clock);
        return created;
      }),

    createAll: (clients) =>
      changeConfiguration(async (transaction, revision) => {
        const created: Client[] = [];
        for (const part of inParts(clients)) {
          if (!(await haveServers(transaction, part))) throw new Error('a resource server is deleted');
          created.push(...(await insertClients(transaction, part, revision, clock)));
        }
        return created;
      }),

    update: (id, change) =>
      changeConfiguration(async (transaction, revision) => {
        const current = await activeClients(transaction).where('id', '=', id).executeTakeFirst();
        if (current === undefined) return undefined;
        const before = toClient(current);
        const client = { ...before, ...change };
        const former = formerResourceServers(before, client, latestNow(clock));
        const row = await transaction
          .updateTable('client')
          .set(
            clientColumns(
              { ...client, formerResourceServers: former },
              current.client_id,
              revision,
              current.metadata,
            ),
          )
          .where('id', '=', id)
          .returningAll()
          .executeTakeFirstOrThrow();
        return toClient(row);
      }),
  };
}

/** Whether the resource servers of the clients are not deleted. */
async function haveServers(db: Kysely<Schema>, clients: readonly NewClient[]): Promise<boolean> {
  const ids = [...new Set(clients.map(({ resourceServerId }) => resourceServerId))];
  const query = db.selectFrom('resource_server').select('id').where('deleted_at', 'is', null);
  return (await query.where('id', 'in', ids).execute()).length === ids.length;
}

/** An index refuses a name that a client has. */
async function insertClients(
  db: Kysely<Schema>,
  clients: readonly NamedClient[],
  revision: number,
  clock: Clock,
): Promise<Client[]> {
  const first = await nextNumber(db, 'client', clients.length);
  const ends = await endsOfLast(db, clients);
  const rows = clients.map((client, index) => ({
    id: first + index,
    ...clientColumns({ ...client, formerResourceServers: [] }, client.clientId, revision),
    tokens_valid_from: Math.max(client.tokensValidFrom, ends.get(client.clientId) ?? 0),
    creation_date: clock.now(),
    deleted_at: null,
  }));
  const created = await db.insertInto('client').values(rows).returningAll().execute();
  return created.sort((a, b) => a.id - b.id).map(toClient);
}

/** Epoch milliseconds by name: after that, nothing was issued to the last client of that name, which was deleted. */
async function endsOfLast(
  db: Kysely<Schema>,
  clients: readonly NamedClient[],
): Promise<ReadonlyMap<string, number>> {
  const clientIds = clients.map(({ clientId }) => clientId);
  const rows = await db
    .selectFrom('client')
    .select(({ fn }) => ['client_id', fn.max<number>('deleted_at').as('end')])
    .where('client_id', 'in', clientIds)
    .where('deleted_at', 'is not', null)
    .groupBy('client_id')
    .execute();
  return new Map(rows.map(({ client_id, end }) => [client_id, Number(end) + changeDelay]));
}

function clientChanges(
  changeConfiguration: ChangeConfiguration,
  clock: Clock,
): Pick<ClientStore, 'delete' | 'replaceSecret' | 'revokeTokens'> {
  /**
   * @param endsTokens makes a message for the purge, which removes the tokens that are no longer valid
   * @param secretIds of the secrets that the client has left: the uses of others are forgotten
   */
  const set = (
    id: number,
    columns: UpdateObject<Schema, 'client'>,
    { endsTokens = false, secretIds }: { endsTokens?: boolean; secretIds?: readonly number[] } = {},
  ): Promise<boolean> =>
    changeConfiguration(async (transaction, revision) => {
      const { numUpdatedRows } = await transaction
        .updateTable('client')
        .set({ ...columns, ...withSameText(revision) })
        .where('id', '=', id)
        .where('deleted_at', 'is', null)
        .executeTakeFirstOrThrow();
      if (numUpdatedRows === 0n) return false;
      if (secretIds !== undefined) await forgetOtherUses(transaction, id, secretIds);
      if (endsTokens) await appendToOutbox(transaction, 'tokens_ended', { clientRecordId: id }, clock.now());
      return true;
    });

  return {
    delete: (id) => set(id, { deleted_at: latestCreationDate(latestNow(clock)) }, { endsTokens: true }),

    replaceSecret: (id, secret) =>
      set(id, clientSecretColumns(secret), { secretIds: secretsOf(secret).map((each) => each.id) }),

    // The value never decreases: a clock that was set back must not make revoked tokens valid again.
    revokeTokens: (id, time) =>
      set(id, { tokens_valid_from: latestCreationDate(time) }, { endsTokens: true }),
  };
}
