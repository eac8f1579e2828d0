import {
  type Account,
  type AccountStore,
  accountIdentityProvider,
  type ChangeCount,
  type EndedByChange,
  type Identity,
  isSameAddress,
  nodeClockTolerance,
  type OwnerChangeStore,
} from '@watchword/protocol';
import { canContain } from '../records/memory-records.ts';

/**
 * @param accounts holds the accounts
 * @param hasPasskey whether the owner has one
 * @param endAll ends the login sessions and grants of the owner
 * @param forget deletes the consents and records of the owner, and the links of the account
 */
export function memoryAccounts(
  accounts: Map<string, Account>,
  hasPasskey: (owner: Identity) => boolean,
  endAll: (owner: Identity, now: number) => Promise<EndedByChange>,
  forget: (owner: Identity, accountId?: string) => Promise<void>,
): AccountStore {
  const create = (account: Account): boolean => {
    const isTaken = [...accounts.values()].some(({ id }) => id === account.id);
    if (isTaken || accounts.has(account.username)) return false;
    accounts.set(account.username, account);
    return true;
  };
  return {
    create: async (account) => create(account),
    createAll: async (all) => all.filter(create).length,
    listNamed: async (usernames) => usernames.flatMap((username) => accounts.get(username) ?? []),
    find: async (username) => accounts.get(username),
    findById: async (wanted) => [...accounts.values()].find(({ id }) => id === wanted),
    findByResetLink: async (digest) =>
      [...accounts.values()].find(
        ({ resetLink }) => resetLink !== undefined && Buffer.compare(resetLink.digest, digest) === 0,
      ),
    listByEmail: async (email, limit) =>
      [...accounts.values()]
        .filter((account) => account.email !== '' && isSameAddress(account.email, email))
        .toSorted((a, b) => byCodePoint(a.username, b.username))
        .slice(0, limit),
    hashNear: async (id) =>
      [...accounts.values()]
        .filter((account) => account.id >= id)
        .toSorted((a, b) => (a.id < b.id ? -1 : 1))[0]?.passwordHash,
    hasOtherAdministrator: async (username) =>
      [...accounts.values()].some(
        (other) =>
          other.username !== username &&
          other.adminPrincipal &&
          !other.disabled &&
          (other.passwordHash !== undefined || hasPasskey(ownerOf(other.username))),
      ),
    list: async ({ after, limit, mayContain, username: wanted, disabled, adminPrincipal, hasPassword }) =>
      [...accounts.values()]
        .filter(() => canContain(mayContain))
        .filter(({ username }) => after === undefined || byCodePoint(username, after) > 0)
        .filter(
          (account) =>
            isWanted(wanted, account.username) &&
            isWanted(disabled, account.disabled) &&
            isWanted(adminPrincipal, account.adminPrincipal) &&
            isWanted(hasPassword, account.passwordHash !== undefined),
        )
        .toSorted((a, b) => byCodePoint(a.username, b.username))
        .slice(0, limit),
    count: async () => accounts.size,
    async update(username, change, now) {
      const account = accounts.get(username);
      if (account === undefined) return undefined;
      const revision = account.revision + 1;
      const isEnabled = account.disabled && change.disabled === false;
      const { resetLink, ...changed } = {
        ...{ ...account, ...change, revision },
        ...(isEnabled && { enabledRevision: revision }),
      };
      accounts.set(username, { ...changed, ...(resetLink && { resetLink }) });
      return endAll(ownerOf(username), now);
    },
    async delete(username, now) {
      const account = accounts.get(username);
      if (account === undefined) return undefined;
      accounts.delete(username);
      const owner = ownerOf(username);
      await forget(owner, account.id);
      return endAll(owner, now);
    },
    async forget(person, now) {
      await forget(person);
      return endAll(person, now);
    },
    async replaceHash(username, from, to) {
      const account = accounts.get(username);
      if (account === undefined || account.passwordHash !== from) return false;
      const { resetLink, ...kept } = account;
      accounts.set(username, { ...kept, passwordHash: to });
      return true;
    },
  };
}

function ownerOf(username: string): Identity {
  return { identityProvider: accountIdentityProvider, name: username };
}

function isWanted<Value>(wanted: Value | undefined, actual: Value): boolean {
  return wanted === undefined || wanted === actual;
}

/** The bytes of UTF-8 sort in the order of code points. */
function byCodePoint(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

export function memoryOwnerChanges(counts: Map<string, ChangeCount>): OwnerChangeStore {
  return {
    async count({ identityProvider, name }, now, duration) {
      const key = JSON.stringify([identityProvider, name]);
      const before = counts.get(key);
      const goesOn =
        before !== undefined && before.since <= now + nodeClockTolerance && before.since > now - duration;
      const count = goesOn
        ? { changes: before.changes + 1, since: before.since }
        : { changes: 1, since: now };
      counts.set(key, count);
      return count;
    },
  };
}
