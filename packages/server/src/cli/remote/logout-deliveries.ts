import { type AdminClient, readAll } from '@watchword/admin-client';
import type { LogoutDeliveryTools } from '../administration.ts';
import { listed, type RecordFinder } from './find-records.ts';

export function remoteLogoutDeliveries(
  { logoutDeliveries }: AdminClient,
  find: RecordFinder,
): LogoutDeliveryTools {
  return {
    async list({ client, failed, limit }) {
      const clientId = client === undefined ? undefined : (await find.client(client)).clientId;
      return listed(await readAll((page) => logoutDeliveries.list({ ...page, clientId, failed }), limit));
    },
    retry: (id) => logoutDeliveries.retry(id),
  };
}
