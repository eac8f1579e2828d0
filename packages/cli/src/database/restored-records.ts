import {
  auditRestore,
  commandLineCaller,
  type RenewedSecret,
  renewAllSecrets,
} from '@watchword/administration';
import { argon2Hasher } from '@watchword/server/modules/authentication/password-hasher';
import { printable } from '@watchword/server/runtime/log/printable';
import { systemRandom } from '@watchword/server/system';
import type { EndedByRestore, RecordCounts, Store } from '@watchword/store-sql';
import type { Command } from 'commander';
import { operator } from '../command/operator.ts';
import type { Options } from '../command/options.ts';
import type { Output } from '../command/output.ts';

/** Adds the options that both commands after a restore have. */
export function withRestoreOptions(command: Command): Command {
  return command
    .option('--keep-tokens', 'keep tokens, grants and consents valid, also those that ended after the backup')
    .option('--rotate-secrets', 'replace every secret and every password, and print the new ones')
    .option('--yes', 'do not ask for confirmation');
}

/** The records that a restore brought back, with their new secrets if there are any. */
export interface RestoredRecords {
  readonly resourceServers: readonly RestoredRecord<'key'>[];
  readonly clients: readonly RestoredRecord<'clientId'>[];
  readonly accounts: readonly RestoredRecord<'username'>[];
}

type RestoredRecord<Name extends string> = Readonly<Record<Name, string>> & { readonly secret?: string };

/** What a restore did, as the audit log has it. */
export interface RestoreFacts extends EndedByRestore {
  readonly tokensKept: boolean;
  readonly secretsRotated: boolean;
}

/**
 * Records a restore in the audit log, and replaces secrets if the facts say so.
 *
 * @param backup what was restored, in one word
 */
export async function recordRestore(
  store: Store,
  backup: string,
  facts: RestoreFacts,
): Promise<RestoredRecords> {
  const caller = commandLineCaller(operator);
  const { hash } = argon2Hasher({ random: systemRandom, concurrency: 1 });
  const deps = { ...store, random: systemRandom, hashPassword: hash };
  await auditRestore(caller, deps, backup, { ...facts });
  return readRecords(store, facts.secretsRotated ? await renewAllSecrets(caller, deps) : []);
}

const pageSize = 1000;

/** The resource servers, clients and accounts of this database, which can authenticate. */
async function readRecords(store: Store, renewed: readonly RenewedSecret[]): Promise<RestoredRecords> {
  const secrets = new Map(renewed.map(({ recordType, name, secret }) => [`${recordType} ${name}`, secret]));
  const withSecret = <Row extends object>(row: Row, recordType: string, name: string) => {
    const secret = secrets.get(`${recordType} ${name}`);
    return secret === undefined ? row : { ...row, secret };
  };
  const servers = await everyPage(({ id = 0 }: { id?: number }) =>
    store.resourceServers.list({ after: id, limit: pageSize }),
  );
  const clients = await everyPage(({ id = 0 }: { id?: number }) =>
    store.clients.list({ after: id, limit: pageSize }),
  );
  const accounts = await everyPage(({ username = '' }: { username?: string }) =>
    store.accounts.list({ after: username, limit: pageSize }),
  );
  return {
    resourceServers: servers.map(({ key }) => withSecret({ key }, 'resourceServer', key)),
    clients: clients
      .filter(({ secret }) => secret !== undefined)
      .map(({ clientId }) => withSecret({ clientId }, 'client', clientId)),
    accounts: accounts.map(({ username }) => withSecret({ username }, 'account', username)),
  };
}

/** Lists the records for people, with their new secrets if there are any. */
export function printRecords(output: Output, records: RestoredRecords, secretsRotated: boolean): void {
  for (const [title, name, rows] of [
    ['Resource servers', 'key', records.resourceServers],
    ['Clients with a secret', 'clientId', records.clients],
    ['Accounts', 'username', records.accounts],
  ] as const) {
    output.done(['', `${title}:`], {});
    output.list(rows, secretsRotated ? [name, 'secret'] : [name]);
  }
}

/** Writes to standard error what the user must know to confirm. A script that does not ask has it in its JSON. */
export function sayBefore({ io, yes, json }: Options, lines: readonly string[]): void {
  if (yes === true && json === true) return;
  for (const line of lines) io.stderr.write(`${printable(line)}\n`);
}

export function recordsInWords({ resourceServers, clients, accounts, grants }: RecordCounts): string {
  return `${resourceServers} resource servers, ${clients} clients, ${accounts} accounts, ${grants} grants`;
}

export function endedInWords({ accessTokens, refreshTokens, grants, loginSessions }: EndedByRestore): string {
  return `Ended: ${accessTokens} access tokens, ${refreshTokens} refresh tokens, ${grants} grants, ${loginSessions} login sessions.`;
}

export const tokensKeptWarning =
  'WARNING: tokens, grants and consents of the backup are valid, also those that were revoked, rotated or withdrawn after the backup.';

/** @param command the command that can replace the secrets */
export function secretsInWords(secretsRotated: boolean, command: string): string {
  return secretsRotated
    ? 'These secrets and passwords are new and shown only once. The old ones are no longer valid:'
    : `These have the secrets and passwords of the backup. If one was changed after the backup, the old one is valid again and the new one is not: change it, or ${command} with --rotate-secrets.`;
}

async function everyPage<Row>(list: (last: Partial<Row>) => Promise<readonly Row[]>): Promise<Row[]> {
  const rows: Row[] = [];
  for (;;) {
    const page = await list(rows.at(-1) ?? {});
    rows.push(...page);
    if (page.length < pageSize) return rows;
  }
}
