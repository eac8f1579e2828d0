import { type AdminClient, readAll } from '@watchword/admin-client';
import type { LogoutDeliveryTools } from '../administration.ts';
import { type RecordFinder, rows } from './find-records.ts';

export function remoteLogoutDeliveries(
  { logoutDeliveries }: AdminClient,
  find: RecordFinder,
): LogoutDeliveryTools {
  return {
    async list({ client, failed, limit }) {
      const clientId = client === undefined ? undefined : (await find.client(client)).clientId;
      const all = await readAll((page) => logoutDeliveries.list({ ...page, clientId, failed }), limit);
      return rows(all.items);
    },
    retry: (id) => logoutDeliveries.retry(id),
  };
}
