import { type AdminClient, type LogoutDeliveryQuery, readAll } from '@watchword/admin-client';
import { listed, type RecordFinder } from './find-records.ts';

/** Which logout tokens are meant; of several members all must fit. */
export interface SelectedDeliveries extends Omit<LogoutDeliveryQuery, 'clientId' | 'cursor'> {
  /** The clientId. */
  readonly client: string | undefined;
  readonly limit: number;
}

/** Logout tokens that clients have not accepted. */
export function logoutDeliveryTools({ logoutDeliveries }: AdminClient, find: RecordFinder) {
  return {
    ...logoutDeliveries,
    /** Those of the newest sessions first. */
    async list({ client, limit, ...selected }: SelectedDeliveries) {
      const clientId = client === undefined ? undefined : (await find.client(client)).clientId;
      return listed(
        await readAll((page) => logoutDeliveries.list({ ...page, clientId, ...selected }), limit),
      );
    },
  };
}
