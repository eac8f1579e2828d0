import {
  type Account,
  type AccountLink,
  type AuditEvent,
  type ChangeCount,
  type Client,
  type Clock,
  type Credential,
  type EndedByChange,
  type Identity,
  type IssuedCount,
  isSameIdentity,
  type LoginSession,
  type OutgoingMail,
  type Registry,
  type ResourceServer,
  type SigningKey,
  type StoredAccessToken,
  type Stores,
} from '@watchword/protocol';
import { FakeClock } from './fake-clock.ts';
import { memoryEndedGrants, memoryGrantList } from './grants/memory-grant-list.ts';
import { memoryGrants } from './grants/memory-grants.ts';
import { memoryAccessTokens, memoryIssuedTokens } from './grants/memory-issued-tokens.ts';
import { memoryRevocations } from './grants/memory-revocations.ts';
import { memoryAuditEvents, memoryRequestErrors } from './history/memory-events.ts';
import { memoryStatistics } from './history/memory-statistics.ts';
import { heldSessions, memoryLoginSessions } from './logins/memory-login-sessions.ts';
import {
  memoryLoginAttempts,
  memoryOneTime,
  memorySessionLinks,
  memoryStepRecords,
} from './logins/memory-login-steps.ts';
import { memorySessionClients } from './logins/memory-session-clients.ts';
import { memorySnapshot, memoryTransact } from './memory-transact.ts';
import { memoryAccountLinks } from './people/memory-account-links.ts';
import { memoryAccounts, memoryOwnerChanges } from './people/memory-accounts.ts';
import { memoryAuthenticators } from './people/memory-authenticators.ts';
import { memoryBranding } from './people/memory-branding.ts';
import { memoryCredentials } from './people/memory-credentials.ts';
import { memoryIdentityProviders } from './people/memory-identity-providers.ts';
import { memoryOutgoingMail } from './people/memory-outgoing-mail.ts';
import { memoryPersonLinks } from './people/memory-person-links.ts';
import { memoryClientRegistrations } from './records/memory-client-registrations.ts';
import { memoryClients } from './records/memory-clients.ts';
import { memoryConfigurations } from './records/memory-configurations.ts';
import { memoryHostRules } from './records/memory-host-rules.ts';
import { memorySealingKeys, memorySigningKeys, memorySubjectKey } from './records/memory-keys.ts';
import { memoryRecords, memoryRegistry } from './records/memory-records.ts';
import { memoryResourceServers } from './records/memory-resource-servers.ts';
import { memoryRights } from './records/memory-rights.ts';

/** A store for tests of the protocol. It passes the conformance suite, so it behaves as the real stores do. */
export interface MemoryStore extends Stores {
  /** Reads the same records, so it is always up to date. */
  readonly registry: Registry;
  /** The stored access tokens, by id. */
  readonly tokens: Map<string, StoredAccessToken>;
  /** Ids that were looked up. */
  readonly lookups: string[];
  /** Stores a record without validation. */
  putClient(client: Client): Client;
  putResourceServer(resourceServer: ResourceServer): ResourceServer;
}

/** @param clock has the time of deletions */
export function memoryStore(clock: Pick<Clock, 'now'> = new FakeClock()): MemoryStore {
  const tokens = new Map<string, StoredAccessToken>();
  const records = memoryRecords(clock);
  const { clients, servers } = records;
  const sessions = new Map<string, LoginSession>();
  const { sessionClients, logoutDeliveries, ...ofSessions } = memorySessionClients();
  const lookups: string[] = [];
  const events: AuditEvent[] = [];
  const held = heldSessions(sessions);
  const memory = memoryGrants(tokens, events, held);
  const sealingKeys = memorySealingKeys();
  const { authorizationCodes, refreshTokens, consents, consentAnswers, grants, remember } = memory;
  const provedBy = new Map<string, Credential>();
  const accounts = new Map<string, Account>();
  const credentials = memoryCredentials(provedBy, accounts);
  const endTrust = (owner: Identity) =>
    credentials.forget((other) => isSameIdentity(other, owner), 'trusted_browser');
  const endAll = async ({ identityProvider, name }: Identity, now: number): Promise<EndedByChange> => {
    const ended = [...sessions.values()].filter(
      ({ owner }) => owner.identityProvider === identityProvider && owner.principal.name === name,
    );
    for (const { id } of ended) {
      sessions.delete(id);
      ofSessions.end(id, now);
    }
    const granted = memory.ofOwner(name, identityProvider, now);
    for (const { id } of granted) await grants.revoke(id, now);
    endTrust({ identityProvider, name });
    return { sessions: ended.filter(({ expires }) => expires > now).length, grants: granted.length };
  };

  const { stepRecords, forget } = memoryStepRecords();
  const links: Parameters<typeof memoryPersonLinks>[0] = new Map();
  const personLinks = memoryPersonLinks(links);
  const linked = new Map<string, AccountLink>();
  const accountLinks = memoryAccountLinks(linked);
  const mails = new Map<string, OutgoingMail>();
  const outgoingMail = memoryOutgoingMail(mails);
  const hasPasskey = (owner: Identity) =>
    [...provedBy.values()].some((each) => each.kind === 'passkey' && isSameIdentity(each.owner, owner));
  const accountStore = memoryAccounts(accounts, hasPasskey, endAll, async (owner, accountId) => {
    memory.remembered.forgetName(owner);
    forget((other) => isSameIdentity(other, owner));
    credentials.forget((other) => isSameIdentity(other, owner));
    if (accountId === undefined) return;
    await personLinks.endOfAccount(accountId);
    for (const link of await accountLinks.listOfAccount(accountId)) linked.delete(link.subject);
    for (const mail of mails.values()) if (mail.accountId === accountId) mails.delete(mail.id);
  });
  const auditEvents = memoryAuditEvents(events);
  const changeCounts = new Map<string, ChangeCount>();
  const ownerChanges = memoryOwnerChanges(changeCounts);
  const clientStore = memoryClients(records);
  const resourceServers = memoryResourceServers(records);
  const revocations = memoryRevocations(records, memory);
  const issuedTokens = memoryIssuedTokens(tokens, sessions, memory, revocations, {
    end: ofSessions.end,
    endTrust,
  });
  const counted = { tokens, clients, servers };
  const issued = new Map<string, IssuedCount>();
  const keys = new Map<string, SigningKey>();
  const signingKeys = memorySigningKeys(keys);
  const { maps: ofAuthenticators, ...storedAuthenticators } = memoryAuthenticators();
  const { maps: ofBranding, ...branding } = memoryBranding();
  const { maps: ofHostRules, ...hostRules } = memoryHostRules();
  const { maps: ofConfigurations, ...configurations } = memoryConfigurations();
  const { maps: ofRights, ...rights } = memoryRights();
  const { maps: ofRegistrations, ...registrations } = memoryClientRegistrations();

  return {
    storedAuthenticators,
    branding,
    configurations,
    hostRules,
    rights,
    ...registrations,
    grantList: memoryGrantList(tokens, clients, memory),
    grants,
    authorizationCodes,
    refreshTokens,
    consents,
    consentAnswers,
    accessTokens: memoryAccessTokens(tokens, memory, lookups),
    auditEvents,
    clients: clientStore,
    resourceServers,
    statistics: memoryStatistics(counted, memory, issued),
    requestErrors: memoryRequestErrors(counted),
    readSnapshot: memorySnapshot(counted, memory, issued),
    transact: memoryTransact(
      {
        resourceServers,
        clients: clientStore,
        issuedTokens,
        accounts: accountStore,
        accountLinks,
        credentials,
        personLinks,
        outgoingMail,
        auditEvents,
        ownerChanges,
        grants: memoryEndedGrants(memory, held.countEnd),
        signingKeys,
        storedAuthenticators,
        branding,
        configurations,
        hostRules,
        rights,
        ...registrations,
        keyRenewal: sealingKeys,
      },
      {
        maps: [
          tokens,
          clients,
          servers,
          sessions,
          accounts,
          links,
          linked,
          provedBy,
          mails,
          changeCounts,
          keys,
          ...ofAuthenticators,
          ...ofBranding,
          ...ofConfigurations,
          ...ofHostRules,
          ...ofRights,
          ...ofRegistrations,
          ...ofSessions.maps,
        ],
        list: events,
        remember,
      },
    ),
    loginSessions: memoryLoginSessions(sessions, events, ofSessions, memory),
    logoutDeliveries,
    sessionClients,
    identityProviderUse: memoryIdentityProviders(sessions, memory, ofSessions, (name) => {
      for (const each of [forget, credentials.forget])
        each(({ identityProvider }) => identityProvider === name);
    }),
    oneTime: memoryOneTime(),
    revocations,
    sealingKeys,
    signingKeys,
    sessionLinks: memorySessionLinks(),
    outgoingMail,
    personLinks,
    accountLinks,
    credentials,
    stepRecords,
    subjectKey: memorySubjectKey(),
    tokens,
    lookups,
    accounts: accountStore,
    loginAttempts: memoryLoginAttempts(),
    putClient(client) {
      clients.set(client.id, client);
      return client;
    },
    putResourceServer(server) {
      servers.set(server.id, server);
      return server;
    },
    registry: memoryRegistry(records),
  };
}
