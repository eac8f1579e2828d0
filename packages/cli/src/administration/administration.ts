import {
  type AdminClient,
  type AuditEvent,
  type ConfirmationQuery,
  type DescribedClientQuery,
  type LoginSessionQuery,
  type LogoutDeliveryQuery,
  type NewInitialToken,
  type PageQuery,
  type PersonSelection,
  readAll,
  type SubmittedClientHost,
} from '@watchword/admin-client';
import type { AuditKind, Identity, StricterProfile } from '@watchword/protocol';
import { firstOf, type ListOptions } from '../command/paging.ts';
import { accessTokenTools } from './access-tokens.ts';
import { accountLinkTools, accountNamed, accountTools, endedOf } from './accounts.ts';
import { authenticatorTools } from './authenticators.ts';
import { clientTools } from './clients.ts';
import { listed, personOf, type RecordFinder, recordFinder, rows } from './find-records.ts';
import { grantTools } from './grants.ts';
import { identityProviderNamed } from './not-found.ts';
import type { OnDatabase } from './on-database.ts';
import { otherClientTools, resourceServerTools } from './resource-servers.ts';

export type Administration = ReturnType<typeof administrationBy>;

/**
 * What the record commands do, through a client of the administration interface: over the network, or within the process on a database.
 * A command finds a record by the name that administrators use. A missing record rejects with `not_found`.
 *
 * @param onDatabase what only a command on the database can do; absent over the network
 */
export function administrationBy(admin: AdminClient, onDatabase?: OnDatabase) {
  const find = recordFinder(admin);
  return {
    /** When a change takes effect, as the end of a sentence. */
    effect: onDatabase === undefined ? 'at once' : 'in a running server within a second',
    resourceServers: resourceServerTools(admin, find, onDatabase),
    otherClients: otherClientTools(admin, find),
    clients: clientTools(admin, find, onDatabase),
    accessTokens: accessTokenTools(admin, find, onDatabase),
    accounts: onDatabase?.accounts ?? accountTools(admin),
    accountLinks: accountLinkTools(admin),
    importAccounts: admin.accounts.import,
    grants: grantTools(admin, find),
    identityProviders: identityProviderTools(admin),
    authenticators: authenticatorTools(admin),
    clientHosts: clientHostTools(admin),
    configurations: configurationTools(admin),
    rights: rightTools(admin),
    initialTokens: initialTokenTools(admin),
    invitations: invitationTools(admin),
    confirmations: confirmationTools(admin),
    factors: factorTools(admin),
    logoutDeliveries: logoutDeliveryTools(admin, find),
    loginSessions: loginSessionTools(admin, find),
    auditEvents: auditEventTools(admin),
    /** What a profile forbids in the records and the settings. @param profile `undefined` for that of the server */
    lint: async (profile: StricterProfile | undefined) =>
      (await readAll((page) => admin.profiles.lint({ ...page, profile }))).items,
    /** Why the request with that id was refused in the last day, and what mends it. */
    async explain(requestId: string) {
      try {
        return await admin.requestErrors.explain(requestId);
      } catch (error) {
        throw onDatabase === undefined ? error : onDatabase.unexplained(error);
      }
    },
  };
}

export type Explanation = Awaited<ReturnType<Administration['explain']>>;

/** Which events of the audit log are meant; of several members all must fit. */
interface SelectedEvents {
  readonly person: Identity | undefined;
  /** The clientId. */
  readonly client: string | undefined;
  readonly kind: AuditKind | undefined;
  readonly action: AuditEvent['action'] | undefined;
  /** Part of the name of the actor. */
  readonly actor: string | undefined;
  /** Epoch milliseconds. */
  readonly since: number | undefined;
  readonly until: number | undefined;
}

function auditEventTools({ auditEvents }: AdminClient) {
  return {
    /** The newest first. */
    async list({ client: clientId, person, ...selected }: SelectedEvents, limit: number) {
      const filters = { clientId, ...personOf(person), ...selected };
      const read = await readAll((page) => auditEvents.list({ ...page, ...filters }), limit);
      return { ...listed(read), events: read.items };
    },
  };
}

function identityProviderTools({ identityProviders }: AdminClient) {
  const all = async () => (await readAll((page) => identityProviders.list(page))).items;

  return {
    /** By name. */
    async list({ after = '', limit }: ListOptions<string | undefined>) {
      const found = await all();
      const following = found.filter(({ identityProvider }) => identityProvider > after);
      return firstOf(rows(following), limit, found.length);
    },
    find: async (name: string) => identityProviderNamed(name, await all()),
    end: (name: string) => identityProviders.end(name),
  };
}

/** The longest page of clients that nobody registered, whose users are counted. */
const mostDescribed = 100;

/** Hosts of clients that documents describe, and these clients. */
function clientHostTools({ clientHosts, describedClients }: AdminClient) {
  return {
    list: async (limit: number) => listed(await readAll((page) => clientHosts.list(page), limit)),
    clients: async (limit: number, filter: Omit<DescribedClientQuery, 'limit' | 'cursor'> = {}) =>
      listed(
        await readAll(
          (page) =>
            describedClients.list({
              ...{ ...page, ...filter },
              limit: Math.min(page.limit ?? mostDescribed, mostDescribed),
            }),
          limit,
        ),
      ),
    end: (selected: Parameters<typeof describedClients.endAll>[0]) => describedClients.endAll(selected),
    decide: (host: string, fields: SubmittedClientHost) => clientHosts.replace(host, fields),
    remove: (host: string) => clientHosts.delete(host),
  };
}

/** What clients that act for themselves can administer. */
function rightTools({ rights }: AdminClient) {
  return {
    ...rights,
    list: async (limit: number, clientId?: string) =>
      listed(await readAll((page) => rights.list({ ...page, clientId }), limit)),
  };
}

/** Resource servers and clients as code. */
function configurationTools({ configurations, resourceServers, clients }: AdminClient) {
  return {
    ...configurations,
    /** All records, with the descriptions of scopes. */
    async records() {
      return {
        resourceServers: (await readAll((page) => resourceServers.listDescribed(page))).items,
        clients: (await readAll((page) => clients.listAll(page))).items,
      };
    },
  };
}

/** Initial access tokens, with which clients register themselves. */
function initialTokenTools({ initialTokens }: AdminClient) {
  return {
    list: async (limit: number) => listed(await readAll((page) => initialTokens.list(page), limit)),
    create: (fields: NewInitialToken) => initialTokens.create(fields),
    end: (id: string) => initialTokens.end(id),
  };
}

/** Invitations that wait. */
function invitationTools({ invitations }: AdminClient) {
  return {
    ...invitations,
    /** In the order in which they were made. */
    async list(limit: number) {
      return listed(await readAll((page) => invitations.list(page), limit));
    },
  };
}

/** Factors of one person. */
function factorTools({ factors }: AdminClient) {
  return {
    /** In the order in which they were added. */
    async list(person: Identity, limit: number) {
      return listed(await readAll((page) => factors.list({ ...page, ...personOf(person) }), limit));
    },
    statistics: () => factors.statistics(),
    remove: async (id: string) => endedOf(await factors.remove(id)),
    reset: async (person: Identity) => endedOf(await factors.reset(personOf(person))),
  };
}

/** What people were asked by mail to confirm. */
function confirmationTools(admin: AdminClient) {
  const { confirmations } = admin;
  return {
    ...confirmations,
    /** In the order in which it was asked for. @param username of the account; `undefined` for all people */
    async list(username: string | undefined, purpose: ConfirmationQuery['purpose'], limit: number) {
      const accountId = username === undefined ? undefined : (await accountNamed(username, admin)).id;
      return listed(await readAll((page) => confirmations.list({ ...page, accountId, purpose }), limit));
    },
  };
}

/** Which login sessions are meant; of several members all must fit. */
interface SelectedSessions
  extends Omit<LoginSessionQuery, 'clientId' | keyof PersonSelection | keyof PageQuery> {
  readonly person: Identity | undefined;
  /** The clientId of a client that was granted access in the session. */
  readonly client: string | undefined;
}

/** Logins in browsers. */
function loginSessionTools({ loginSessions }: AdminClient, find: RecordFinder) {
  return {
    ...loginSessions,
    /** The newest first. */
    async list({ person, client, ...selected }: SelectedSessions, limit: number) {
      const clientId = client === undefined ? undefined : (await find.client(client)).clientId;
      const filter = { ...personOf(person), clientId, ...selected };
      return listed(await readAll((page) => loginSessions.list({ ...page, ...filter }), limit));
    },
  };
}

/** Which logout tokens are meant; of several members all must fit. */
interface SelectedDeliveries extends Omit<LogoutDeliveryQuery, 'clientId' | 'cursor'> {
  /** The clientId. */
  readonly client: string | undefined;
  readonly limit: number;
}

/** Logout tokens that clients have not accepted. */
function logoutDeliveryTools({ logoutDeliveries }: AdminClient, find: RecordFinder) {
  return {
    ...logoutDeliveries,
    /** Those of the newest sessions first. */
    async list({ client, limit, ...selected }: SelectedDeliveries) {
      const clientId = client === undefined ? undefined : (await find.client(client)).clientId;
      return listed(
        await readAll((page) => logoutDeliveries.list({ ...page, clientId, ...selected }), limit),
      );
    },
  };
}
