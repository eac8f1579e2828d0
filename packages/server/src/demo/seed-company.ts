import type { Transact, TransactionStores } from '@watchword/protocol';
import type { ServerStore } from '@watchword/store-sql';
import { systemRandom } from '../system.ts';
import { useApplications } from './access.ts';
import { company } from './company.ts';
import { clientOf, registerCompany } from './records.ts';
import { issuedTokens, refusedRequests } from './statistics.ts';

// As many as a server keeps of a client.
const keptErrors = 1000;

/**
 * Fills a database that has only the records of the README with a company and a month of its life. Of several nodes that do so at the
 * same time one succeeds. If the process ends before all is stored, the history is shorter.
 *
 * @param isOnlyDemo whether the database has no other records, read in the transaction
 * @returns `false` if it has other records
 */
export async function seedCompany(
  store: ServerStore,
  isOnlyDemo: (stores: TransactionStores) => Promise<boolean>,
): Promise<boolean> {
  const isRegistered = await store.transact(async (stores) => {
    if (!(await isOnlyDemo(stores))) return false;
    const transact: Transact = (work) => work(stores);
    await registerCompany({ ...store, ...stores, transact, random: systemRandom });
    return true;
  });
  if (!isRegistered) return false;
  const now = store.clock.now();
  const clients = new Map(
    await Promise.all(
      company
        .flatMap((api) => api.clients)
        .map(async ({ clientId }) => [clientId, await clientOf(clientId, store.clients)] as const),
    ),
  );
  await store.statistics.addIssued(issuedTokens(clients, now));
  await store.requestErrors.append(refusedRequests(clients, now, systemRandom), keptErrors);
  const subjectSecret = await store.subjectKey.read();
  await useApplications({ stores: store, random: systemRandom, now, clients, subjectSecret });
  return true;
}
