import type { Client, ClientStore, Scopes } from '@watchword/protocol';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Schema } from '../schema/schema.ts';
import { withSameText } from '../schema/search-columns.ts';
import type { ChangeConfiguration } from '../work/configuration-change.ts';
import { activeClients } from './client-reads.ts';
import { toClient } from './record-columns.ts';

type ClientScopes = Pick<ClientStore, 'loseScopes' | 'endTrust'>;

const trust = ['skip_consent', 'is_trusted', 'keeps_user_data'] as const;

/** Changes to all clients of a resource server that have a scope. */
export function clientScopes(changeConfiguration: ChangeConfiguration): ClientScopes {
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
