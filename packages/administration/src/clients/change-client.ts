import {
  OAuthError,
  type SectorDocument,
  type SectorDocuments,
  type TransactionStores,
} from '@watchword/protocol';
import type { Caller } from '../callers/caller.ts';
import { type AdministrationDependencies, type Changed, changeRecords } from '../changes/change-records.ts';

/** The sector identifier URI whose document decides whether a change can be made. */
interface Undecided {
  readonly neededDocument: string;
}

type Work<Value> = (
  stores: TransactionStores,
  documents: SectorDocuments,
) => Promise<Changed<Value> | Undecided>;

// Another change at the same time can make another document necessary.
const attempts = 3;

/**
 * Runs a change of a client, which can depend on the document of its sector identifier URI, as `changeRecords` does. The
 * document is requested between two transactions, so that none waits for another server. The transaction that finds out about
 * it counts as a change, so that the limit of changes bounds these requests.
 *
 * @throws OAuthError as `changeRecords`; `conflict` when the client changes too often meanwhile
 */
export async function changeClient<Value>(
  caller: Caller,
  deps: AdministrationDependencies,
  work: Work<Value>,
): Promise<Value> {
  const documents = new Map<string, SectorDocument>();
  for (let left = attempts; left > 0; left -= 1) {
    const result = await changeRecords<Pick<Changed<Value>, 'value'> | Undecided>(
      caller,
      deps,
      async (stores) => {
        const done = await work(stores, documents);
        if ('neededDocument' in done) return { value: done, changes: [] };
        return { value: { value: done.value }, changes: done.changes };
      },
    );
    if ('value' in result) return result.value;
    documents.set(result.neededDocument, await documentOf(result.neededDocument, deps));
  }
  throw new OAuthError('conflict', {
    description: 'Another request changes the client at the same time; try again.',
  });
}

async function documentOf(
  uri: string,
  { sectorIdentifiers }: Pick<AdministrationDependencies, 'sectorIdentifiers'>,
): Promise<SectorDocument> {
  return (await sectorIdentifiers?.read(uri)) ?? { problem: 'cannot be requested from here' };
}
