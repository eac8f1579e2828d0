import {
  type AccessToken,
  type AuthenticationEvent,
  actingClient,
  type Client,
  type Grant,
  identityOf,
  type LoginSession,
  loginEvent,
  type Random,
  type RefreshToken,
  type ResourceOwner,
  type Stores,
  subjectOf,
  timeOrderedId,
} from '@watchword/protocol';
import { claimsOf, formIdentityProvider } from '../modules/authentication/form.ts';
import { type Person, people } from './people.ts';
import { evenNumbers, onDay } from './shape.ts';

const minute = 60_000;
const day = 86_400_000;
// The settings of a server whose operator changes nothing.
const sessionLifetime = 7 * day;
const refreshLifetime = 30 * day;

type AccessStores = Pick<Stores, 'accessTokens' | 'authorizationCodes' | 'grants' | 'loginSessions'>;

interface Parts {
  readonly stores: AccessStores;
  readonly random: Random;
  readonly now: number;
  /** Clients of the company by clientId. */
  readonly clients: ReadonlyMap<string, Client>;
  readonly subjectSecret: Uint8Array;
}

/** Who uses an application. */
interface Audience {
  readonly clientId: string;
  readonly of: 'staff' | 'customers' | 'everybody';
  /** Part of them. */
  readonly share: number;
  /** Days since the first of them used it. The access of an application without refresh tokens ends soon. */
  readonly days: number;
}

const audiences: readonly Audience[] = [
  { clientId: 'tandem-web-shop', of: 'everybody', share: 0.8, days: 29 },
  { clientId: 'tandem-phone', of: 'everybody', share: 0.5, days: 29 },
  { clientId: 'tandem-till', of: 'staff', share: 0.5, days: 20 },
  { clientId: 'tandem-newsletter', of: 'customers', share: 0.3, days: 15 },
  { clientId: 'tandem-tablet', of: 'staff', share: 0.6, days: 25 },
  { clientId: 'tandem-booking', of: 'customers', share: 0.4, days: 6 },
  { clientId: 'tandem-showroom', of: 'staff', share: 0.1, days: 0 },
  { clientId: 'tandem-wiki', of: 'staff', share: 1, days: 1 },
  { clientId: 'tandem-planner', of: 'everybody', share: 0.35, days: 28 },
];

const peopleAtOnce = 8;

/** A job gets a token every few minutes. */
const jobs = ['tandem-stock', 'tandem-invoices'];

/** People log in and give applications access, and jobs get tokens. The tokens are known to nobody. */
export async function useApplications(parts: Parts): Promise<void> {
  const next = evenNumbers(7);
  // A few people at a time: they share commits, and requests of the first visitors do not wait for all of them.
  for (let start = 0; start < people.length; start += peopleAtOnce) {
    const uses = people
      .slice(start, start + peopleAtOnce)
      .flatMap((person) =>
        audiences
          .filter(({ of, share }) => belongs(person, of) && isChosen(person, share, next))
          .map((audience) => useApplication(person, audience, next, parts)),
      );
    await Promise.all(uses);
  }
  await Promise.all(jobs.flatMap((clientId) => tokensOfJob(clientId, parts)));
}

function belongs({ isStaff }: Person, of: Audience['of']): boolean {
  return of === 'everybody' || (of === 'staff') === isStaff;
}

/** Emma uses everything that she can, because visitors can be her. */
function isChosen({ name }: Person, share: number, next: () => number): boolean {
  return next() < share || name === 'emma';
}

async function useApplication(
  person: Person,
  { clientId, days }: Audience,
  next: () => number,
  parts: Parts,
): Promise<void> {
  const { stores, random, clients, now } = parts;
  const client = clients.get(clientId);
  if (client === undefined) return;
  // After the end of a client of the same name that was removed before.
  const created = Math.max(onDay(Math.floor(next() * (days + 1)), now, next), client.tokensValidFrom + 1000);
  const { owner, authentication } = await logIn(person, created - 20_000, parts);
  const id = timeOrderedId(created, random);
  const scopes = [...openidOf(client), ...client.scopes];
  const grant: Grant = {
    id,
    clientRecordId: client.id,
    owner,
    authentication,
    scopes,
    creationDate: created,
  };
  const after = { scopes };
  const event = loginEvent(
    identityOf(owner),
    { ...actingClient(client), source: addressOf(next) },
    { action: 'grant', recordType: 'grant', recordId: id, recordName: clientId, after },
    { clock: { now: () => created }, random },
  );
  const lastUsed = client.useRefreshTokens ? now - Math.floor((now - created) * next() ** 3) : created;
  const accessToken = accessTokenOf(client, grant, lastUsed, parts);
  if (client.allowedImplicitGrant) {
    await stores.grants.insert(grant, accessToken, { event });
    return;
  }
  const redirectUri = client.redirectUris[0] ?? '';
  const key = { owner: identityOf(owner), subject: owner.subject, clientRecordId: client.id, redirectUri };
  const consent = client.skipConsent ? undefined : { key, scopes, savedAt: created };
  const code = {
    id: timeOrderedId(created, random, id),
    ...{ verifierHash: noSecret(random), grantId: id, clientRecordId: client.id, redirectUri, scopes },
    // Until now, so that the purge has nothing to catch up with.
    ...{ codeChallenge: undefined, expires: now, creationDate: created },
  };
  await stores.authorizationCodes.insert(code, grant, { event, consent });
  const refreshToken = client.useRefreshTokens ? refreshTokenOf(grant, lastUsed, parts) : undefined;
  await stores.authorizationCodes.redeem(code.id, { accessToken, refreshToken }, lastUsed);
}

/** An address of a household (RFC 5737 §3: nobody has it). */
function addressOf(next: () => number): string {
  return `203.0.113.${1 + Math.floor(next() * 250)}`;
}

/** Those of OpenID Connect that the client gets. */
function openidOf({ openidScopes, trusted }: Client): readonly string[] {
  if (openidScopes.length === 0) return [];
  return ['openid', ...openidScopes.filter((scope) => trusted || scope === 'profile')];
}

async function logIn(
  { name, displayName }: Person,
  time: number,
  { stores, random, now, subjectSecret }: Parts,
): Promise<{ readonly owner: ResourceOwner; readonly authentication: AuthenticationEvent }> {
  const identityProvider = formIdentityProvider;
  const id = timeOrderedId(time, random);
  const attributes = { DISPLAY_NAME: displayName };
  const owner = {
    identityProvider,
    subject: subjectOf(subjectSecret, { identityProvider, stableId: undefined, name }),
    principal: { name, roles: [], groups: [], adminPrincipal: false, attributes },
  };
  const authentication = { authenticatedAt: time, sessionId: id, identityProvider, claims: claimsOf(name) };
  const session: LoginSession = {
    ...{ id, verifierHash: noSecret(random), authenticator: formIdentityProvider, owner, authentication },
    ...{ creationDate: time, lastUsed: Math.min(now, time + 40 * minute), ends: 0 },
    ...{ source: '203.0.113.20', device: 'Firefox, Linux' },
    expires: Math.max(time + sessionLifetime, now + minute),
  };
  const event = loginEvent(
    identityOf(owner),
    { clientId: undefined, source: '203.0.113.20' },
    { action: 'login', recordType: 'loginSession', recordId: id, recordName: name },
    { clock: { now: () => time }, random },
  );
  await stores.loginSessions.insert(session, event);
  return { owner, authentication };
}

function accessTokenOf(
  client: Client,
  grant: Grant | undefined,
  created: number,
  { random, now }: Parts,
): AccessToken {
  const expires = created + client.expireDuration * 1000;
  // A token that expired long ago would have been purged, and a JWT is not stored.
  const isStored = expires > now - day / 2 && client.clientId !== 'tandem-planner';
  return {
    id: timeOrderedId(created, random, grant?.id),
    verifierHash: isStored ? noSecret(random) : undefined,
    clientRecordId: client.id,
    grantId: grant?.id,
    scopes: grant?.scopes ?? client.scopes,
    expires,
    creationDate: created,
  };
}

function refreshTokenOf(
  { id, clientRecordId, scopes, creationDate }: Grant,
  used: number,
  { random }: Parts,
): RefreshToken {
  return {
    id: timeOrderedId(used, random, id),
    ...{ verifierHash: noSecret(random), grantId: id, clientRecordId, scopes, creationDate: used },
    expires: used + refreshLifetime,
    absoluteExpires: creationDate + 3 * refreshLifetime,
  };
}

function tokensOfJob(clientId: string, parts: Parts): Promise<unknown>[] {
  const client = parts.clients.get(clientId);
  if (client === undefined) return [];
  return [1, 7, 13, 22, 31, 44].map((minutes) => {
    const created = Math.max(parts.now - minutes * minute, client.tokensValidFrom + 1000);
    return parts.stores.accessTokens.insert(accessTokenOf(client, undefined, created, parts));
  });
}

/** In place of the digest of a secret: there is no text of which it is the digest. */
function noSecret(random: Random): Uint8Array {
  const bytes = new Uint8Array(32);
  random.fill(bytes);
  return bytes;
}
