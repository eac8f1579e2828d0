import { type AdminClient, readAll } from '@watchword/admin-client';
import { listed, type RecordFinder } from './find-records.ts';

/** Which logout tokens are meant; of several members all must fit. */
export interface SelectedDeliveries {
  readonly client: string | undefined;
  /** Only those without another attempt. */
  readonly failed: boolean | undefined;
}

/** Logout tokens that clients have not accepted. */
export function logoutDeliveryTools({ logoutDeliveries }: AdminClient, find: RecordFinder) {
  return {
    /** Those of the newest sessions first. */
    async list({ client, failed, limit }: SelectedDeliveries & { readonly limit: number }) {
      const clientId = client === undefined ? undefined : (await find.client(client)).clientId;
      return listed(await readAll((page) => logoutDeliveries.list({ ...page, clientId, failed }), limit));
    },
    retry: (id: string) => logoutDeliveries.retry(id),
  };
}
