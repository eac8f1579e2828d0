import {
  type AccessToken,
  type Client,
  type ConsentedEntry,
  type EndOfPart,
  endedAt,
  type GrantEndStore,
  type GrantEntry,
  type GrantedEntry,
  type GrantListStore,
  type GrantScan,
  type GrantScanPosition,
  identityOf,
  isExpired,
  memberOf,
  type SkippedEntry,
} from '@watchword/protocol';
import { canContain } from '../records/memory-records.ts';
import type { RememberedRow } from './memory-consents.ts';
import type { StoredGrant } from './memory-grant-rows.ts';
import type { MemoryGrants } from './memory-grants.ts';

/** @param tokens access tokens, by id */
export function memoryGrantList(
  tokens: ReadonlyMap<string, AccessToken>,
  clients: ReadonlyMap<number, Client>,
  memory: MemoryGrants,
): GrantListStore {
  const consentsOf = (subject: string, clientRecordId: number) =>
    memory.remembered
      .all()
      .filter(({ key }) => key.subject === subject && key.clientRecordId === clientRecordId);

  const listed = (subject: string, clientRecordId: number) => ({
    clientRecordId,
    subject,
    consentedScopes: [...new Set(consentsOf(subject, clientRecordId).flatMap(({ scopes }) => scopes))],
  });

  const granted = (stored: StoredGrant, now: number): GrantedEntry => {
    const { id, clientRecordId, owner, scopes, creationDate } = stored.grant;
    return {
      type: 'grant',
      id,
      ...identityOf(owner),
      ...listed(owner.subject, clientRecordId),
      creationDate,
      isActive: isActive(stored, now),
      principal: owner.principal,
      scopes,
      lastUsed: stored.lastUsed,
      hasRefreshToken: memory.unused().some(({ grantId, expires }) => grantId === id && expires > now),
      accessTokens: [...tokens.values()].filter((token) => token.grantId === id && !isExpired(token, now))
        .length,
    };
  };

  const consented = ({ key, savedAt, grantId }: RememberedRow, now: number): ConsentedEntry => {
    const { owner, subject, clientRecordId } = key;
    const given = memory.stored().find(({ grant }) => grant.id === grantId);
    return {
      type: 'consent',
      id: grantId,
      ...owner,
      ...listed(subject, clientRecordId),
      creationDate: savedAt,
      isLast: consentsOf(subject, clientRecordId).every((other) => other.grantId <= grantId),
      activeGrantDate: given !== undefined && isActive(given, now) ? given.grant.creationDate : undefined,
    };
  };

  const all = (now: number): GrantEntry[] => [
    ...memory.stored().map((stored) => granted(stored, now)),
    ...memory.remembered.all().map((consent) => consented(consent, now)),
  ];

  const scan: GrantListStore['scan'] = async (wanted, now) => {
    const found = all(now)
      .filter((entry) => isMeant(entry, wanted, clients) && isForTarget(entry, wanted))
      .filter(() => canContain(wanted.mayContain))
      .toSorted((a, b) => compare(b, a, wanted));
    const { before, limit } = wanted;
    return found
      .filter((entry) => before === undefined || compare(entry, before, wanted) < 0)
      .slice(0, limit);
  };

  return {
    scan,
    async search(wanted, isWanted, now) {
      const found: (GrantEntry | SkippedEntry)[] = [];
      for (const entry of await scan(wanted, now)) {
        const { id, clientRecordId, identityProvider } = entry;
        found.push(
          (await isWanted(entry)) ? entry : { type: 'skipped', id, clientRecordId, identityProvider },
        );
      }
      return found;
    },
    find: async (id, now) => all(now).filter((entry) => entry.id === id),
  };
}

function isMeant(entry: GrantEntry, scan: GrantScan, clients: ReadonlyMap<number, Client>): boolean {
  switch (scan.of) {
    case 'all':
      return true;
    case 'client':
      return entry.clientRecordId === scan.clientRecordId;
    case 'resourceServer':
      return clients.get(entry.clientRecordId)?.resourceServerId === scan.resourceServerId;
    case 'clients':
      return scan.clientRecordIds.includes(entry.clientRecordId);
    case 'subject':
      return entry.subject === scan.subject;
    case 'owner':
      return entry.name === scan.name;
  }
}

/** Whether an active grant has ended at a resource server. */
function endPart(stored: StoredGrant, part: EndOfPart, now: number): boolean {
  const { grant } = stored;
  const { subjects, clientRecordId, resourceServerIds, grantId = grant.id, since = 0 } = part;
  const isMeant =
    stored.revokedAt === undefined &&
    subjects.includes(grant.owner.subject) &&
    grant.clientRecordId === clientRecordId &&
    grant.id === grantId &&
    grant.creationDate >= since;
  const scopes = isMeant ? endedAt(grant.scopes, resourceServerIds) : grant.scopes;
  if (scopes === grant.scopes) return false;
  stored.grant = { ...grant, scopes };
  stored.partEndedAt = now;
  return isActive(stored, now);
}

function isForTarget(entry: GrantEntry, { targets }: GrantScan): boolean {
  const isOne = (member: string) => targets?.includes(memberOf(member).id ?? 0) === true;
  const granted = entry.type === 'grant' ? entry.scopes : entry.consentedScopes;
  return targets === undefined || granted.some(isOne);
}

function isActive({ revokedAt, expires }: StoredGrant, now: number): boolean {
  return revokedAt === undefined && (expires === 0 || expires > now);
}

type Placed = GrantScanPosition;

/** The last entry in this order is read first. */
function compare(a: Placed, b: Placed, { of }: GrantScan): number {
  if ((of === 'resourceServer' || of === 'clients') && a.clientRecordId !== b.clientRecordId)
    return a.clientRecordId - b.clientRecordId;
  if (of === 'owner' && a.identityProvider !== b.identityProvider) {
    return a.identityProvider < b.identityProvider ? -1 : 1;
  }
  if (a.id !== b.id) return a.id < b.id ? -1 : 1;
  return Number(a.type === 'grant') - Number(b.type === 'grant');
}

/** @param countEnd counts an end in the sessions of the subject */
export function memoryEndedGrants(memory: MemoryGrants, countEnd: (subject: string) => void): GrantEndStore {
  const endAll = async (
    subjects: readonly string[],
    isForgotten: (subject: string, clientRecordId: number) => boolean,
    isEnded: (stored: StoredGrant) => boolean,
    now: number,
  ) => {
    for (const subject of new Set(subjects)) countEnd(subject);
    const forgotten = memory.remembered
      .keys()
      .filter(({ subject, clientRecordId }) => isForgotten(subject, clientRecordId));
    for (const key of forgotten) memory.remembered.forget(key);
    const ended = memory.stored().filter(isEnded);
    const active = ended.filter((stored) => isActive(stored, now));
    for (const { grant } of ended) await memory.grants.revoke(grant.id, now);
    return { grants: active.length, consents: forgotten.length };
  };
  return {
    async revoke(ids, now) {
      const active = memory.stored().filter((each) => isActive(each, now) && ids.includes(each.grant.id));
      for (const { grant } of active) await memory.grants.revoke(grant.id, now);
      return active.length;
    },
    end: (grants, now) =>
      endAll(
        grants.map(({ subject }) => subject),
        (subject, client) =>
          grants.some((grant) => grant.subject === subject && grant.clientRecordId === client),
        (stored) => isActive(stored, now) && grants.some(({ id }) => id === stored.grant.id),
        now,
      ),
    endAccess(access, now) {
      const isMeant = (subject: string, client: number, date = Number.POSITIVE_INFINITY) =>
        access.some(
          ({ subjects, clientRecordId, since = 0 }) =>
            subjects.includes(subject) && clientRecordId === client && date >= since,
        );
      return endAll(
        access.flatMap(({ subjects }) => subjects),
        isMeant,
        ({ grant }) => isMeant(grant.owner.subject, grant.clientRecordId, grant.creationDate),
        now,
      );
    },
    async endParts(parts, now) {
      for (const subject of new Set(parts.flatMap(({ subjects }) => subjects))) countEnd(subject);
      const total = { grants: 0, consents: 0 };
      for (const part of parts) {
        total.grants += memory.stored().filter((stored) => endPart(stored, part, now)).length;
        total.consents += memory.remembered.endPart(part);
      }
      return total;
    },
  };
}
