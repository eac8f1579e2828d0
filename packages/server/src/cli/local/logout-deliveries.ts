import type { PageRequest } from '@watchword/protocol';
import { logoutDeliveryRecord } from '../../admin/records/logout-delivery.ts';
import type { LogoutDeliveryTools } from '../administration.ts';
import { listedPages } from './read-pages.ts';
import { existingClient, type LocalRecords } from './records.ts';

export function localLogoutDeliveries({
  store,
  caller,
  logoutDeliveries,
}: LocalRecords): LogoutDeliveryTools {
  return {
    async list({ client, failed, limit }) {
      const clientId = client === undefined ? undefined : (await existingClient(store, client)).clientId;
      return listedPages(
        (page: PageRequest<string>) => logoutDeliveries.list(caller, { clientId, failed }, page),
        limit,
        logoutDeliveryRecord,
      );
    },
    retry: (id) => logoutDeliveries.retry(caller, id),
  };
}
