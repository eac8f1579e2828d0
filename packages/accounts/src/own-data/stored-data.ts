import {
  type Account,
  type AccountLink,
  type AccountLinkStore,
  type AccountStore,
  type AuditEvent,
  type AuditEventStore,
  accountClaimFields,
  accountIdentityProvider,
  type Browser,
  type Credential,
  type CredentialStore,
  identityOf,
  isSameIdentity,
  type LoginSession,
  namesOf,
  type PersonLink,
  type PersonLinkStore,
  type Random,
  subjectInEvent,
  submittedOf,
  type Transact,
} from '@watchword/protocol';
import type { AccountDependencies } from '../account-page.ts';
import { ownEvent } from '../own-event.ts';

export interface StoredDataDependencies
  extends Pick<
    AccountDependencies,
    'registry' | 'grants' | 'consents' | 'sessions' | 'authenticators' | 'clock' | 'subjectSecret'
  > {
  readonly accounts: Pick<AccountStore, 'find'>;
  readonly accountLinks: Pick<AccountLinkStore, 'listOfAccount'>;
  readonly credentials: Pick<CredentialStore, 'listBySubject'>;
  readonly personLinks: Pick<PersonLinkStore, 'list'>;
  readonly auditEvents: Pick<AuditEventStore, 'list'>;
  readonly transact: Transact;
  readonly random: Random;
  readonly audited?: ((event: AuditEvent) => void) | undefined;
}

/** Everything that is stored of a person, as JSON (GDPR Article 15). Times are those of RFC 3339. */
export type StoredData = Readonly<Record<string, unknown>>;

// More of each kind are left out, and the file says so.
const mostSessions = 1000;
const mostLinks = 100;
const mostEvents = 10_000;
const eventsAtOnce = 500;

/** `undefined` when no user is logged in. */
export function storedData(
  deps: StoredDataDependencies,
): (browser: Browser) => Promise<StoredData | undefined> {
  return async (browser) => {
    const session = await deps.sessions.current(browser, deps.authenticators);
    if (session === undefined) return undefined;
    const { owner } = session;
    const isLocal = owner.identityProvider === accountIdentityProvider;
    const account = isLocal ? await deps.accounts.find(owner.principal.name) : undefined;
    const [sessions, applications, credentials, linked, links, { events, isComplete }] = await Promise.all([
      deps.sessions.ofOwner(session, mostSessions),
      applicationsOf(session, deps),
      deps.credentials.listBySubject(owner.subject),
      account === undefined ? [] : deps.accountLinks.listOfAccount(account.id),
      account === undefined ? [] : deps.personLinks.list({ accountId: account.id, limit: mostLinks }),
      eventsOf(session, account, deps),
    ]);
    await noteDownload(session, browser, deps);
    return {
      created: time(deps.clock.now()),
      person: personOf(session, account),
      sessions: sessions.map(sessionOf),
      applications,
      credentials: credentials.map(credentialOf),
      linkedProviders: linked.map(providerOf),
      pendingLinks: links.map(linkOf),
      events,
      eventsAreComplete: isComplete,
    };
  };
}

/** Whoever takes a session of somebody else leaves a trace. The file has the events before it. */
async function noteDownload(
  { owner }: LoginSession,
  { source }: Browser,
  deps: StoredDataDependencies,
): Promise<void> {
  const event = ownEvent('downloadData', { owner, source }, {}, deps);
  await deps.transact(({ auditEvents }) => auditEvents.append([event]));
  deps.audited?.(event);
}

function personOf({ owner }: LoginSession, account: Account | undefined): StoredData {
  const { identityProvider, subject, principal } = owner;
  const known = { identityProvider, subject };
  if (account === undefined) return { ...known, ...principal };
  const { username, displayName, roles, groups, adminPrincipal, disabled, creationDate } = account;
  return {
    ...known,
    username,
    displayName,
    ...submittedOf(accountClaimFields, account),
    ...{ roles, groups, adminPrincipal, disabled },
    hasPassword: account.passwordHash !== undefined,
    created: time(creationDate),
  };
}

function sessionOf({
  device,
  source,
  authenticator,
  creationDate,
  lastUsed,
  expires,
}: LoginSession): StoredData {
  return {
    ...{ device, address: source, authenticator },
    ...{ created: time(creationDate), lastUsed: time(lastUsed), expires: time(expires) },
  };
}

function providerOf({
  authenticator,
  identityProvider,
  name,
  creationDate,
  lastUsed,
}: AccountLink): StoredData {
  return { authenticator, identityProvider, name, created: time(creationDate), lastUsed: time(lastUsed) };
}

/** Without what proves a login. */
function credentialOf({ kind, name, creationDate, lastUsed }: Credential): StoredData {
  return { kind, name, created: time(creationDate), lastUsed: time(lastUsed) };
}

function linkOf({ purpose, address, creationDate, expires }: PersonLink): StoredData {
  return { purpose, address, created: time(creationDate), expires: time(expires) };
}

/** What applications may do in the name of the person, and what is remembered for them. */
async function applicationsOf(
  { owner: { subject } }: LoginSession,
  { grants, consents, registry, clock }: StoredDataDependencies,
): Promise<StoredData[]> {
  const named = (clientRecordId: number) => {
    const { clientId, clientName } = registry.clientById(clientRecordId) ?? {};
    return { clientId, clientName };
  };
  const [uses, remembered] = await Promise.all([
    grants.listBySubject(subject, clock.now()),
    consents.listBySubject(subject),
  ]);
  return [
    ...uses.map(({ grant, lastUsed }) => ({
      ...named(grant.clientRecordId),
      grantedScopes: namesOf(grant.scopes),
      created: time(grant.creationDate),
      lastUsed: time(lastUsed),
    })),
    ...remembered.map(({ clientRecordId, scopes, savedAt }) => ({
      ...named(clientRecordId),
      rememberedScopes: scopes,
      created: time(savedAt),
    })),
  ];
}

/** Of others who acted, neither name nor address: those are data of other people. */
async function eventsOf(
  { owner }: LoginSession,
  account: Account | undefined,
  { auditEvents, subjectSecret }: StoredDataDependencies,
): Promise<StoredEvents> {
  const person = identityOf(owner);
  // Before that, the name was of another person.
  const since = account?.creationDate ?? 0;
  const found: AuditEvent[] = [];
  while (found.length < mostEvents) {
    const before = found.at(-1)?.id;
    const some = await auditEvents.list({ person, limit: eventsAtOnce, ...(before && { before }) });
    found.push(...some.filter((event) => event.time >= since));
    if (some.length < eventsAtOnce || (some.at(-1)?.time ?? 0) < since) break;
  }
  const { subject } = subjectInEvent(subjectSecret, owner) ?? {};
  // Somebody else can have had the name.
  const own = subject === undefined ? found : found.filter(({ after }) => after?.subject === subject);
  const isComplete = found.length < mostEvents && own.length === found.length;
  const events = own.slice(0, mostEvents).map((event) => {
    const { action, recordType, recordName, before, after, clientId, clientName, source } = event;
    const isOwn = isSameIdentity(event.actor, person);
    return {
      time: time(event.time),
      ...{ action, recordType, recordName },
      by: isOwn ? 'you' : 'somebody else',
      ...(isOwn && { clientId, clientName, address: source }),
      ...(isSameIdentity(event.owner, person) && { before, after }),
    };
  });
  return { events, isComplete };
}

interface StoredEvents {
  readonly events: readonly StoredData[];
  /** Whether these are all. */
  readonly isComplete: boolean;
}

/** 0: never. */
function time(milliseconds: number): string | null {
  return milliseconds === 0 ? null : new Date(milliseconds).toISOString();
}
