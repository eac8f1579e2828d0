import {
  type ConsentKey,
  type ConsentStore,
  type Identity,
  isSameIdentity,
  type Scopes,
} from '@watchword/protocol';

export interface StoredConsent {
  readonly key: ConsentKey;
  readonly scopes: Scopes;
  readonly savedAt: number;
  readonly grantId: string;
}

/** The stored consents of resource owners. */
export interface MemoryConsents {
  readonly store: ConsentStore;
  all(): StoredConsent[];
  keys(): ConsentKey[];
  forget(key: ConsentKey): void;
  /** Deletes the consents of the resource owner for the client. Returns their number. */
  withdraw(subject: string, clientRecordId: number): number;
  /** Deletes the consents of every resource owner who had the name. */
  forgetName(name: Identity): void;
}

/** @param isActive whether the grant of a consent is active */
export function memoryConsents(isActive: (grantId: string) => boolean): MemoryConsents {
  const consents = new Map<string, StoredConsent>();
  const forget = (key: ConsentKey) => consents.delete(consentId(key));
  const keys = () => [...consents.values()].map(({ key }) => key);

  return {
    all: () => [...consents.values()],
    keys,
    forget,
    withdraw: (subject, clientRecordId) =>
      keys()
        .filter((key) => key.clientRecordId === clientRecordId && key.subject === subject)
        .filter(forget).length,
    forgetName(name) {
      for (const key of keys()) if (isSameIdentity(key.owner, name)) forget(key);
    },
    store: {
      async find(key) {
        const found = consents.get(consentId(key));
        return found?.key.subject === key.subject ? found.scopes : [];
      },
      listBySubject: async (subject) =>
        [...consents.values()]
          .filter(({ key }) => key.subject === subject)
          .toSorted((a, b) => (a.grantId < b.grantId ? -1 : 1))
          .map(({ key, scopes, savedAt }) => ({ clientRecordId: key.clientRecordId, scopes, savedAt })),
      async save({ key, scopes, savedAt }, grantId) {
        if (isActive(grantId)) consents.set(consentId(key), { key, scopes, savedAt, grantId });
      },
    },
  };
}

function consentId({ owner, clientRecordId, redirectUri }: ConsentKey): string {
  return JSON.stringify([owner.identityProvider, owner.name, clientRecordId, redirectUri]);
}
