import {
  type ConsentKey,
  type ConsentStore,
  type Identity,
  isSameIdentity,
  type Scopes,
} from '@watchword/protocol';

/** What resource owners need not be asked again. */
export interface MemoryConsents {
  readonly store: ConsentStore;
  keys(): ConsentKey[];
  forget(key: ConsentKey): void;
  /** Forgets all that the owner consented to for the client, or for every client; returns how many consents that were. */
  withdraw(owner: Identity, clientRecordId?: number): number;
}

/** @param isAlive whether the grant of a consent is active */
export function memoryConsents(isAlive: (grantId: string) => boolean): MemoryConsents {
  const consents = new Map<string, { readonly key: ConsentKey; readonly scopes: Scopes }>();
  const forget = (key: ConsentKey) => consents.delete(consentId(key));
  const keys = () => [...consents.values()].map(({ key }) => key);

  return {
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
      async save(key, scopes, _now, grantId) {
        if (grantId === undefined || isAlive(grantId)) consents.set(consentId(key), { key, scopes });
      },
    },
  };
}

function consentId({ owner, clientRecordId, redirectUri }: ConsentKey): string {
  return JSON.stringify([owner.authority, owner.name, clientRecordId, redirectUri]);
}
