import {
  type AccessToken,
  accountIdentityProvider,
  type Client,
  type ClientStore,
  type Grant,
  importedBearerValue,
  isExpired,
  type OneTimeStore,
  type Principal,
  type RefreshToken,
  type ResourceOwner,
  subjectOf,
  type TransactionStores,
  timeOrderedId,
} from '@watchword/protocol';
import type { Caller } from '../callers/caller.ts';
import type { AuditedChange } from '../changes/audit.ts';
import { type AdministrationDependencies, changeRecords } from '../changes/change-records.ts';
import { ofToken, tokenState } from '../tokens/token-record.ts';

/** A token of another server, with its text. */
export interface ImportedToken {
  /** By which the old server knows it: no secret. */
  readonly id: string;
  readonly value: string;
  readonly refreshValue: string | undefined;
  readonly clientId: string;
  /** `undefined`: the client acts for itself. */
  readonly owner: { readonly identityProvider: string; readonly principal: Principal } | undefined;
  readonly scopes: readonly string[];
  /** Epoch milliseconds; 0 = does not expire. */
  readonly expires: number;
  /** Epoch milliseconds. */
  readonly creationDate: number;
}

/** What an import did with a token, or with a dry run would do. */
export interface TokenReport {
  readonly id: string;
  /** `unchanged`: it was imported before, also if it ended here meanwhile. */
  readonly outcome: 'created' | 'unchanged' | 'leftOut';
  /** Why it does not come. */
  readonly reason?: string;
}

interface Dependencies
  extends Pick<AdministrationDependencies, 'transact' | 'clock' | 'random' | 'audited' | 'ownerLimits'> {
  /** Seconds, see the settings `refresh.idleLifetime` and `refresh.lifetime`. */
  readonly refreshIdleLifetime: number;
  readonly refreshLifetime: number;
  readonly clients: Pick<ClientStore, 'find'>;
  readonly accounts: Pick<TransactionStores['accounts'], 'find'>;
  readonly oneTime: OneTimeStore;
  /** The key of all subjects, see `SubjectKeyStore`. */
  readonly subjectSecret: Uint8Array;
}

interface TokenImportOptions {
  readonly isDryRun: boolean;
  /** Clients that a dry run would have created: their tokens would come too. */
  readonly coming?: ReadonlySet<string>;
}

interface ReadToken {
  readonly id: string;
  readonly client: Client;
  readonly token: AccessToken;
  readonly grant: Grant | undefined;
  readonly refreshToken: RefreshToken | undefined;
}

/**
 * Imports tokens, which go on working until they expire. Of a part all are stored, or none. A token comes once: if it is revoked here, a repeated import does
 * not bring it back.
 *
 * @param caller an administrator at the local command line
 */
export async function importTokens(
  caller: Caller,
  deps: Dependencies,
  part: readonly ImportedToken[],
  { isDryRun, coming = new Set() }: TokenImportOptions,
): Promise<TokenReport[]> {
  const read = await Promise.all(part.map((given) => readToken(given, deps, coming)));
  const fresh = read.flatMap((each) => ('token' in each ? [each] : []));
  if (!isDryRun && fresh.length > 0) {
    await changeRecords(caller, deps, async (stores) => ({
      value: undefined,
      changes: await store(fresh, stores),
    }));
    // Afterwards: whatever interrupts the import, a repetition finds the tokens themselves.
    await Promise.all(fresh.map(({ token }) => deps.oneTime.put(keyOf(token), '', token.expires || never)));
  }
  return read.map((each) => ('token' in each ? { id: each.id, outcome: 'created' } : each));
}

// Epoch milliseconds of a time that no token sees.
const never = Date.UTC(9999, 0);

function keyOf({ id }: Pick<AccessToken, 'id'>): string {
  return `imported token ${id}`;
}

async function store(
  read: readonly ReadToken[],
  { issuedTokens }: Pick<TransactionStores, 'issuedTokens'>,
): Promise<AuditedChange[]> {
  const changes: AuditedChange[] = [];
  for (const { token, grant, refreshToken, client } of read) {
    if ((await issuedTokens.find(token.id)) !== undefined) continue;
    await issuedTokens.insert(token, grant, refreshToken);
    const issued = { ...token, client, grant, format: 'opaque' } as const;
    changes.push({ action: 'create', ...ofToken(issued), after: tokenState(issued) });
  }
  return changes;
}

async function readToken(
  given: ImportedToken,
  deps: Dependencies,
  coming: ReadonlySet<string>,
): Promise<ReadToken | TokenReport> {
  const { id, clientId, expires } = given;
  const leftOut = (reason: string): TokenReport => ({ id, outcome: 'leftOut', reason });
  const now = deps.clock.now();
  const presented = importedBearerValue('access', given.value);
  if (presented === undefined) return leftOut('its text is no UUID');
  const client = await deps.clients.find(clientId);
  if (client === undefined && !coming.has(clientId)) return leftOut(`the client ${clientId} is not here`);
  if (isExpired({ expires }, now) && given.refreshValue === undefined) return leftOut('it has expired');
  const owner = given.owner && (await ownerOf(given.owner, deps));
  if (given.owner !== undefined && owner === undefined)
    return leftOut(`its user ${given.owner.principal.name} has no account here`);
  if ((await deps.oneTime.find(keyOf(presented), now)) !== undefined) return { id, outcome: 'unchanged' };
  if (client === undefined) return { id, outcome: 'created' };
  const creationDate = Math.min(given.creationDate, now);
  const grant = owner && grantOf(owner, given, client, creationDate, deps);
  const { scopes } = given;
  const common = { clientRecordId: client.id, scopes, creationDate };
  const token = { ...presented, ...common, grantId: grant?.id, expires };
  return { id, client, token, grant, refreshToken: refreshTokenOf(given, client, grant, deps) };
}

async function ownerOf(
  { identityProvider, principal }: NonNullable<ImportedToken['owner']>,
  { accounts, subjectSecret }: Dependencies,
): Promise<ResourceOwner | undefined> {
  const { name } = principal;
  const account = identityProvider === accountIdentityProvider ? await accounts.find(name) : undefined;
  if (identityProvider === accountIdentityProvider && (account === undefined || account.disabled))
    return undefined;
  const subject = subjectOf(subjectSecret, { identityProvider, stableId: account?.id, name });
  return { identityProvider, subject, principal };
}

function grantOf(
  owner: ResourceOwner,
  { scopes }: ImportedToken,
  client: Client,
  creationDate: number,
  { random }: Dependencies,
): Grant {
  const sessionId = timeOrderedId(creationDate, random);
  return {
    id: timeOrderedId(creationDate, random),
    clientRecordId: client.id,
    owner,
    authentication: { authenticatedAt: creationDate, sessionId, identityProvider: owner.identityProvider },
    scopes,
    creationDate,
  };
}

/** It never expired there. Here its lifetime begins now. */
function refreshTokenOf(
  { refreshValue, scopes }: ImportedToken,
  client: Client,
  grant: Grant | undefined,
  { clock, refreshIdleLifetime, refreshLifetime }: Dependencies,
): RefreshToken | undefined {
  const presented = refreshValue === undefined ? undefined : importedBearerValue('refresh', refreshValue);
  if (presented === undefined || grant === undefined || !client.useRefreshTokens) return undefined;
  const now = clock.now();
  return {
    ...presented,
    grantId: grant.id,
    clientRecordId: client.id,
    scopes,
    expires: now + Math.min(refreshIdleLifetime, refreshLifetime) * 1000,
    absoluteExpires: now + refreshLifetime * 1000,
    creationDate: grant.creationDate,
  };
}
