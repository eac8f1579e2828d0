import {
  type AccountStore,
  generateSecret,
  randomText,
  rotatedClientSecret,
  storedSecret,
  type TransactionStores,
  usesSecret,
} from '@watchword/protocol';
import { ofAccount } from '../accounts/account-record.ts';
import type { Caller } from '../callers/caller.ts';
import type { AuditedChange } from '../changes/audit.ts';
import { type AdministrationDependencies, changeRecords } from '../changes/change-records.ts';
import { ofClient } from '../clients/client-record.ts';
import { everyRecord } from '../lists/page.ts';
import { ofResourceServer } from '../resource-servers/resource-server-record.ts';

/** A secret or password that is shown only this once. */
export interface RenewedSecret {
  readonly recordType: 'resourceServer' | 'client' | 'account';
  readonly name: string;
  readonly secret: string;
}

interface RenewalDependencies
  extends Pick<AdministrationDependencies, 'transact' | 'clock' | 'random' | 'audited'> {
  readonly accounts: Pick<AccountStore, 'list'>;
  /** Resolves with the form of the password that the store keeps. */
  hashPassword(password: string): Promise<string>;
}

const pageSize = 1000;
const passwordBytes = 18;

/** Replaces all secrets and all passwords. No earlier one is valid after that. */
export async function renewAllSecrets(caller: Caller, deps: RenewalDependencies): Promise<RenewedSecret[]> {
  const passwords = await newPasswords(deps);
  return changeRecords(caller, deps, async (stores) => {
    const renewed: RenewedSecret[] = [];
    const changes: AuditedChange[] = [];
    const note = (secret: RenewedSecret, change: AuditedChange) => {
      renewed.push(secret);
      changes.push(change);
    };
    await renewOfRecords(stores, deps, note);
    for (const { username, password, passwordHash } of passwords) {
      await stores.accounts.update(username, { passwordHash }, deps.clock.now());
      note(
        { recordType: 'account', name: username, secret: password },
        { action: 'changePassword', ...ofAccount(username) },
      );
    }
    return { value: renewed, changes };
  });
}

async function renewOfRecords(
  stores: TransactionStores,
  { clock, random }: Pick<RenewalDependencies, 'clock' | 'random'>,
  note: (secret: RenewedSecret, change: AuditedChange) => void,
): Promise<void> {
  const after = { overlap: 0 };
  for await (const server of everyRecord((page) => stores.resourceServers.list(page))) {
    const secret = generateSecret(random);
    await stores.resourceServers.replaceSecret(server.id, storedSecret(secret));
    note(
      { recordType: 'resourceServer', name: server.key, secret },
      { action: 'rotateSecret', ...ofResourceServer(server), after },
    );
    for await (const client of everyRecord((page) =>
      stores.clients.list({ ...page, resourceServerId: server.id }),
    )) {
      if (!usesSecret(client)) continue;
      const secret = generateSecret(random);
      const stored = rotatedClientSecret(secret, client.secret, clock.now(), after.overlap);
      await stores.clients.replaceSecret(client.id, stored);
      note(
        { recordType: 'client', name: client.clientId, secret },
        { action: 'rotateSecret', ...ofClient(client, server), after },
      );
    }
  }
}

/** Hashed before the change is begun: it takes long, and others would wait. */
async function newPasswords({ accounts, random, hashPassword }: RenewalDependencies) {
  const made: { username: string; password: string; passwordHash: string }[] = [];
  for (let after: string | undefined; ; ) {
    const page = await accounts.list({ limit: pageSize, ...(after !== undefined && { after }) });
    for (const { username } of page) {
      const password = randomText(random, passwordBytes);
      made.push({ username, password, passwordHash: await hashPassword(password) });
    }
    if (page.length < pageSize) return made;
    after = page.at(-1)?.username;
  }
}
