import type { Page, PageQuery } from './page.ts';
import type { LogoutDelivery } from './records.ts';
import type { CallOptions, Requests } from './requests.ts';

export interface LogoutDeliveryQuery extends PageQuery {
  readonly clientId?: string | undefined;
  /** `true`: only deliveries without another attempt. `false`: only those that have one. */
  readonly failed?: boolean | undefined;
}

/** Logout tokens that clients have not accepted. */
export interface LogoutDeliveriesClient {
  /** Those of the newest sessions first. */
  list(query?: LogoutDeliveryQuery, options?: CallOptions): Promise<Page<LogoutDelivery>>;
  /** Makes an attempt now. */
  retry(id: string, options?: CallOptions): Promise<void>;
}

export function logoutDeliveriesClient({ endpoint, page, nothing }: Requests): LogoutDeliveriesClient {
  return {
    list: async ({ clientId, failed, limit, cursor } = {}, options) =>
      page(endpoint('GET /admin/logoutDelivery', { clientId, failed, limit, cursor }), options),
    retry: async (id, options) => nothing(endpoint('POST /admin/logoutDelivery/{id}/retry', { id }), options),
  };
}
