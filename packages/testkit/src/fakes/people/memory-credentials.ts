import {
  type Account,
  accountIdentityProvider,
  type Credential,
  type CredentialKind,
  type CredentialStore,
  type FactorCounts,
  type Identity,
  isSameIdentity,
} from '@watchword/protocol';

export interface MemoryCredentials extends CredentialStore {
  /** Deletes the credentials of some people. @param kind default: all */
  forget(isMeant: (owner: Identity) => boolean, kind?: CredentialKind): void;
}

/** @param credentials holds them by their ids @param accounts by their names */
export function memoryCredentials(
  credentials: Map<string, Credential>,
  accounts: ReadonlyMap<string, Account>,
): MemoryCredentials {
  const all = () => [...credentials.values()];
  const ofPerson = (subject: string, id: string) => {
    const found = credentials.get(id);
    return found?.subject === subject ? found : undefined;
  };
  return {
    listBySubject: async (subject) => inOrder(all().filter((each) => each.subject === subject)),
    listByOwner: async (owner) => inOrder(all().filter((each) => isSameIdentity(each.owner, owner))),
    findById: async (id) => credentials.get(id),
    findByHandle: async (handle) => all().find((each) => each.handle === handle),
    async countPeople() {
      const isLocal = ({ owner }: Credential) => owner.identityProvider === accountIdentityProvider;
      const open = [...accounts.values()].filter(({ disabled }) => !disabled);
      const ofAccounts = (some: readonly Account[]) =>
        countsOf(
          some.map(({ username }) => all().filter((each) => isLocal(each) && each.owner.name === username)),
        );
      const others = all().filter((each) => !isLocal(each) && each.kind !== 'trusted_browser');
      return {
        accounts: ofAccounts(open),
        administrators: ofAccounts(open.filter(({ adminPrincipal }) => adminPrincipal)),
        others: countsOf([...Map.groupBy(others, ({ subject }) => subject).values()]),
      };
    },
    async create(credential, limit) {
      const { id, subject, kind, handle } = credential;
      const isTaken = all().some(
        (each) => each.id === id || (handle !== undefined && each.handle === handle),
      );
      const count = all().filter((each) => each.subject === subject && each.kind === kind).length;
      if (isTaken || count >= limit) return false;
      credentials.set(id, credential);
      return true;
    },
    async use(id, { counter, lastUsed, data }) {
      const found = credentials.get(id);
      if (found === undefined) return false;
      if (counter === 0 ? found.counter !== 0 : found.counter >= counter) return false;
      credentials.set(id, { ...found, counter, lastUsed, ...(data !== undefined && { data }) });
      return true;
    },
    async rename(subject, id, name) {
      const found = ofPerson(subject, id);
      if (found !== undefined) credentials.set(id, { ...found, name });
      return found !== undefined;
    },
    delete: async (subject, id) => ofPerson(subject, id) !== undefined && credentials.delete(id),
    async deleteBySubject(subject, kinds) {
      const own = all().filter(
        (each) => each.subject === subject && (kinds === undefined || kinds.includes(each.kind)),
      );
      return own.filter(({ id }) => credentials.delete(id)).length;
    },
    forget(isMeant, meant) {
      for (const { id, owner, kind } of all())
        if (isMeant(owner) && (meant === undefined || kind === meant)) credentials.delete(id);
    },
  };
}

function inOrder(credentials: Credential[]): Credential[] {
  return credentials.toSorted((a, b) => a.creationDate - b.creationDate || (a.id < b.id ? -1 : 1));
}

/** @param people the credentials of each */
function countsOf(people: readonly (readonly Credential[])[]): FactorCounts {
  const having = (...kinds: readonly CredentialKind[]) =>
    people.filter((own) => own.some(({ kind }) => kinds.includes(kind))).length;
  return {
    ...{ people: people.length, passkey: having('passkey'), totp: having('totp') },
    ...{ recoveryCodes: having('recovery_code'), none: people.length - having('passkey', 'totp') },
  };
}
