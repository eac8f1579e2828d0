import type { PageRequest } from '@watchword/protocol';
import { logoutDeliveryRecord } from '../../admin/records/logout-delivery.ts';
import type { LogoutDeliveryTools } from '../administration.ts';
import { readPages } from './read-pages.ts';
import { existingClient, type LocalRecords } from './records.ts';

export function localLogoutDeliveries({
  store,
  caller,
  logoutDeliveries,
}: LocalRecords): LogoutDeliveryTools {
  return {
    async list({ client, failed, limit }) {
      const clientId = client === undefined ? undefined : (await existingClient(store, client)).clientId;
      const found = await readPages(
        (page: PageRequest<string>) => logoutDeliveries.list(caller, { clientId, failed }, page),
        limit,
      );
      return found.map(logoutDeliveryRecord);
    },
    retry: (id) => logoutDeliveries.retry(caller, id),
  };
}
