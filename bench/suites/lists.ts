import { cpus } from 'node:os';
import { startAccountServer } from '@watchword/server-testkit/account-server';
import { engine } from '@watchword/server-testkit/engine';
import { addClient, addResourceServer, buildAccount, tokenFactory } from '@watchword/testkit';
import { median } from '../measure/statistics.ts';

const rows = 100_000;
const rowsOfTransaction = 1000;
const rounds = 15;
const goalMs = 100;

/**
 * Each list of the administration over 100,000 rows: its first page, a search that finds the last row, and one that finds nothing. Over
 * SQLite, or with `TEST_DATABASE=postgresql` over PostgreSQL. Server and caller are one process.
 */
export async function benchLists(): Promise<void> {
  const server = await startAccountServer();
  try {
    await fill(server.service.store);
    console.log(
      `${cpus().length} x ${cpus()[0]?.model}, Node.js ${process.version}, ${engine}, ${rows} rows`,
    );
    const root = await server.logIn('root');
    for (const [path, last] of [
      ['account', `user${rows - 1}`],
      ['client', `client-${rows - 1}`],
      ['accessToken', `client-${rows - 1}`],
      ['auditEvent', 'root'],
    ]) {
      for (const query of ['', `?q=${last}&limit=5`, '?q=no-such-name']) {
        const times: number[] = [];
        let records = 0;
        for (let round = 0; round < rounds; round += 1) {
          const started = performance.now();
          records = (await root.get(`/admin/${path}${query}`)).json.length;
          times.push(performance.now() - started);
        }
        const [middle, worst] = [median(times), Math.max(...times)];
        const shown = [middle.toFixed(1).padStart(6), 'ms  worst', worst.toFixed(1).padStart(6), 'ms'];
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

type Store = Awaited<ReturnType<typeof startAccountServer>>['service']['store'];

async function fill(store: Store): Promise<void> {
  const api = await addResourceServer(store, 'lists');
  const token = tokenFactory();
  for (let start = 0; start < rows; start += rowsOfTransaction) {
    const clients: number[] = [];
    await store.transact(async (stores) => {
      for (let index = start; index < start + rowsOfTransaction; index += 1) {
        const { id } = await addClient(stores, `client-${index}`, api);
        clients.push(id);
        await stores.accounts.create(
          buildAccount({ username: `user${index}`, displayName: `User ${index}` }),
        );
      }
    });
    const creationDate = store.clock.now();
    await Promise.all(
      clients.map((clientRecordId) => store.accessTokens.insert(token({ clientRecordId, creationDate }))),
    );
  }
}
