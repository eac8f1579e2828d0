import type { RenewedSecret } from '@watchword/protocol';
import type { EndedByRestore, Store } from '@watchword/store-sql';
import type { Output } from './output.ts';

/** The records that a restore brought back, with their new secrets if there are any. */
export interface RestoredRecords {
  readonly resourceServers: readonly RestoredRecord<'key'>[];
  readonly clients: readonly RestoredRecord<'clientId'>[];
  readonly accounts: readonly RestoredRecord<'username'>[];
}

type RestoredRecord<Name extends string> = Readonly<Record<Name, string>> & { readonly secret?: string };

export interface Restored extends RestoredRecords {
  readonly database: string;
  readonly backup: string;
  readonly tokensKept: boolean;
  readonly secretsRotated: boolean;
  readonly ended: EndedByRestore;
  /** Path of the damaged database that was replaced. */
  readonly damaged: string | undefined;
}

const pageSize = 1000;

/** The resource servers, clients and accounts of this database, which can authenticate. */
export async function readRecords(store: Store, renewed: readonly RenewedSecret[]): Promise<RestoredRecords> {
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

export function printRestored(output: Output, isJson: boolean, restored: Restored): void {
  const { damaged, ...report } = restored;
  output.done(inWords(restored), { ...report, damaged: damaged ?? null });
  if (isJson) return;
  for (const [title, name, records] of [
    ['Resource servers', 'key', restored.resourceServers],
    ['Clients with a secret', 'clientId', restored.clients],
    ['Accounts', 'username', restored.accounts],
  ] as const) {
    output.done(['', `${title}:`], {});
    output.list(records, restored.secretsRotated ? [name, 'secret'] : [name]);
  }
}

function inWords({ database, backup, ended, tokensKept, secretsRotated, damaged }: Restored): string[] {
  const { accessTokens, refreshTokens, grants, loginSessions } = ended;
  return [
    `${database} is restored from ${backup}.`,
    ...(damaged === undefined ? [] : [`The damaged database is kept as ${damaged}.`]),
    tokensKept
      ? 'WARNING: tokens, grants and consents of the backup are valid, also those that were revoked, rotated or withdrawn after the backup.'
      : `Ended: ${accessTokens} access tokens, ${refreshTokens} refresh tokens, ${grants} grants, ${loginSessions} login sessions.`,
    secretsRotated
      ? 'These secrets and passwords are new and shown only once. The old ones are no longer valid:'
      : 'These have the secrets and passwords of the backup. If one was changed after the backup, the old one is valid again and the new one is not: change it, or restore with --rotate-secrets.',
  ];
}

async function everyPage<Row>(list: (last: Partial<Row>) => Promise<readonly Row[]>): Promise<Row[]> {
  const rows: Row[] = [];
  for (;;) {
    const page = await list(rows.at(-1) ?? {});
    rows.push(...page);
    if (page.length < pageSize) return rows;
  }
}
