import { cpus } from 'node:os';
import { type AccountServer, startAccountServer } from '@watchword/server-testkit/servers/account-server';
import { engine } from '@watchword/server-testkit/servers/engine';
import { sql } from '@watchword/server-testkit/servers/sql';
import {
  addClient,
  addResourceServer,
  auditEventFactory,
  buildAccount,
  grantFactory,
  sessionFactory,
} from '@watchword/testkit';
import { postgresql, sqlite } from '../data/growth-database.ts';
import { median } from '../measure/statistics.ts';

const rows = 100_000;
const rounds = 9;
const goalMs = 100;

/**
 * Each list of the administration over 100,000 rows, tokens with grants: its first page, and searches that find the last row, every row, one in ninety and nothing. Over
 * SQLite, or with `TEST_DATABASE=postgresql` over PostgreSQL. Server and caller are one process.
 */
export async function benchLists(): Promise<void> {
  const server = await startAccountServer();
  try {
    await fill(server);
    console.log(
      `${cpus().length} x ${cpus()[0]?.model}, Node.js ${process.version}, ${engine}, ${rows} rows`,
    );
    const root = await server.logIn('root');
    for (const [path, ...searches] of [
      ['account', `user${rows - 1}`, 'user'],
      ['client', `client-${rows - 1}`, 'client'],
      ['accessToken', `client-${rows - 1}`, `user${rows - 1}`, 'client', 'user', 'client-12', 'user12'],
      ['grant', `client-${rows - 1}`, `user${rows - 1}`, 'client', 'user', 'client-12', 'user12'],
      ['auditEvent', `record-${rows - 1}`, `user${rows - 1}`, 'record', 'user'],
    ]) {
      // With what tables show beside records.
      const more = { client: ['?lastIssued=true'], account: ['?lastLogin=true'] }[path ?? ''] ?? [];
      for (const query of ['', ...more, ...searches.map((q) => `?q=${q}&limit=5`), '?q=no-such-name']) {
        const times: number[] = [];
        const work: number[] = [];
        let records = 0;
        for (let round = 0; round < rounds; round += 1) {
          const started = performance.now();
          const before = process.cpuUsage();
          records = (await root.get(`/admin/${path}${query}`)).json.length;
          times.push(performance.now() - started);
          const { user, system } = process.cpuUsage(before);
          work.push((user + system) / 1000);
        }
        const [middle, worst] = [median(times), Math.max(...times)];
        const shown = [
          ...[middle.toFixed(1).padStart(6), 'ms  worst', worst.toFixed(1).padStart(6), 'ms'],
          ...['processor', median(work).toFixed(1).padStart(6), 'ms'],
        ];
        console.log(
          ...shown,
          middle > goalMs ? 'OVER' : '    ',
          `${records} records`.padStart(12),
          path + query,
        );
      }
    }
  } finally {
    await server[Symbol.asyncDispose]();
  }
}

/** Makes one record of each kind, and copies its row, because the rules would take an hour. */
async function fill({ database, service: { store } }: AccountServer): Promise<void> {
  const api = await addResourceServer(store, 'lists');
  const client = await addClient(store, 'Client', api);
  await store.accounts.create(buildAccount({ username: 'first' }));
  const make = grantFactory();
  const creationDate = store.clock.now();
  const grant = make.grant({ clientRecordId: client.id, creationDate });
  await store.grants.insert(grant, make.tokens(grant, creationDate).accessToken);
  const event = auditEventFactory();
  await store.auditEvents.append([event({ time: creationDate })]);
  const login = { action: 'login', recordType: 'loginSession', time: creationDate } as const;
  await store.loginSessions.insert(sessionFactory()(), event(login));
  const ids = (first: string) => ({
    sqlite: `unhex(printf('%012x7%03x8%03x%012x', ${creationDate}, i % 4096, ${first}, i))`,
    postgresql: `decode(lpad(to_hex(${creationDate}), 12, '0') || '7' || lpad(to_hex(i % 4096), 3, '0') || '8'
      || lpad(to_hex(${first}), 3, '0') || lpad(to_hex(i), 12, '0'), 'hex')`,
  });
  const [ofGrant, ofToken, ofEvent] = ['1', '2', '3'].map((first) => ids(first)[engine]);
  const next = '(select revision + 9 from registry_revision)';
  const clientId = `${client.id} + 1 + i`;
  await copies(database, 'client', {
    id: clientId,
    client_id: "'client-' || i",
    client_name: "'Client ' || i",
    revision: next,
  });
  await copies(database, 'account', {
    username: "'user' || i",
    id: "'account ' || i",
    display_name: "'User ' || i",
  });
  await copies(database, 'authorization_grant', {
    ...{ id: ofGrant, client_record_id: clientId, principal_name: "'user' || i", subject: "'subject ' || i" },
    principal: `'{"name":"user' || i || '"}'`,
  });
  await copies(database, 'access_token', { id: ofToken, client_record_id: clientId, grant_id: ofGrant });
  await copies(database, 'audit_event', { id: ofEvent, record_name: "'record-' || i" });
  await copies(database, 'login_event', {
    ...{ id: ofEvent, record_name: "'user' || i", principal_name: "'user' || i" },
  });
  await sql(database, 'update registry_revision set revision = revision + 9');
  await store.refreshRegistry();
  await store.purge({ expiredBefore: 0, deletedBefore: 0, batchSize: 1000 });
  // As autovacuum does. A server never has SQLite collect statistics.
  if (engine === 'postgresql') await sql(database, 'vacuum analyze');
}

/** Copies the first row of a table. @param values SQL for columns, in which `i` is the number of the copy */
async function copies(
  database: string,
  table: string,
  values: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const [first = {}] = await sql(database, `select * from ${table} limit 1`);
  // The purge writes the texts of searches.
  const columns = Object.keys(first).filter((column) => !column.startsWith('search_'));
  const { numbers } = { sqlite, postgresql }[engine];
  await sql(
    database,
    `insert into ${table} (${columns}) select ${columns.map((column) => values[column] ?? `first.${column}`)}
      from (select * from ${table} limit 1) as first, ${numbers(0, rows - 1)}`,
  );
}
