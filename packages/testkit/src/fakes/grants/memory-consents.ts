import {
  type ConsentKey,
  type ConsentStore,
  type EndOfPart,
  type GivenConsent,
  type Identity,
  isSameIdentity,
  namesOf,
  type Scopes,
  targetsOf,
  withoutTargets,
} from '@watchword/protocol';

export interface RememberedRow {
  readonly key: ConsentKey;
  readonly scopes: Scopes;
  readonly savedAt: number;
  readonly grantId: string;
}

/** The stored consents of resource owners. */
export interface MemoryConsents {
  readonly store: ConsentStore;
  all(): RememberedRow[];
  keys(): ConsentKey[];
  forget(key: ConsentKey): void;
  /** Whether the consent replaces what it says. */
  accepts(consent: GivenConsent): boolean;
  /** Deletes the consents of the resource owner for the client. Returns their number. */
  withdraw(subject: string, clientRecordId: number): number;
  /** Takes the resource servers out of the consents. Returns the number of those that had them. */
  endPart(part: EndOfPart): number;
  /** Deletes the consents of every resource owner who had the name. */
  forgetName(name: Identity): void;
}

/** @param isActive whether the grant of a consent is active */
export function memoryConsents(isActive: (grantId: string) => boolean): MemoryConsents {
  const consents = new Map<string, RememberedRow>();
  const forget = (key: ConsentKey) => consents.delete(consentId(key));
  const keys = () => [...consents.values()].map(({ key }) => key);
  const find = (key: ConsentKey) => {
    const found = consents.get(consentId(key));
    return found?.key.subject === key.subject ? found : undefined;
  };
  const isAsFound = ({ key, replaces }: GivenConsent) => find(key)?.grantId === replaces;

  return {
    accepts: isAsFound,
    all: () => [...consents.values()],
    keys,
    forget,
    withdraw: (subject, clientRecordId) =>
      keys()
        .filter((key) => key.clientRecordId === clientRecordId && key.subject === subject)
        .filter(forget).length,
    endPart({ subjects, clientRecordId, resourceServerIds }) {
      let ended = 0;
      for (const [id, row] of consents) {
        const isMeant = subjects.includes(row.key.subject) && row.key.clientRecordId === clientRecordId;
        const scopes = isMeant ? withoutTargets(row.scopes, resourceServerIds) : row.scopes;
        if (scopes === row.scopes) continue;
        if (targetsOf(scopes)?.length === 0 && namesOf(scopes).length === 0) consents.delete(id);
        else consents.set(id, { ...row, scopes });
        ended += 1;
      }
      return ended;
    },
    forgetName(name) {
      for (const key of keys()) if (isSameIdentity(key.owner, name)) forget(key);
    },
    store: {
      async find(key) {
        const found = find(key);
        return found && { scopes: found.scopes, grantId: found.grantId };
      },
      listBySubject: async (subject) =>
        [...consents.values()]
          .filter(({ key }) => key.subject === subject)
          .toSorted((a, b) => (a.grantId < b.grantId ? -1 : 1))
          .map(({ key, scopes, savedAt }) => ({ clientRecordId: key.clientRecordId, scopes, savedAt })),
      async save(consent, grantId) {
        if (!isActive(grantId) || !isAsFound(consent)) return false;
        const { key, scopes, savedAt } = consent;
        consents.set(consentId(key), { key, scopes, savedAt, grantId });
        return true;
      },
    },
  };
}

function consentId({ owner, clientRecordId, redirectUri }: ConsentKey): string {
  return JSON.stringify([owner.identityProvider, owner.name, clientRecordId, redirectUri]);
}
