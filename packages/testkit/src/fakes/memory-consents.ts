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
  /** Deletes the consents of the owner for the client, or for every client. Returns their number. */
  withdraw(owner: Identity, clientRecordId?: number): number;
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
    withdraw: (owner, clientRecordId) =>
      keys()
        .filter((key) => clientRecordId === undefined || key.clientRecordId === clientRecordId)
        .filter((key) => isSameIdentity(key.owner, owner))
        .filter(forget).length,
    store: {
      async find(key) {
        const found = consents.get(consentId(key));
        return found?.key.subject === key.subject ? found.scopes : [];
      },
      async save(key, scopes, savedAt, grantId) {
        if (isActive(grantId)) consents.set(consentId(key), { key, scopes, savedAt, grantId });
      },
    },
  };
}

function consentId({ owner, clientRecordId, redirectUri }: ConsentKey): string {
  return JSON.stringify([owner.identityProvider, owner.name, clientRecordId, redirectUri]);
}
