import type { LogoutDelivery } from '@watchword/protocol';
import type { TestServer } from '@watchword/server-testkit/servers/server';

/** The next delivery whose attempt fails, or that is removed because the client has accepted the token. */
export function watchedDelivery(
  { service: { store } }: TestServer,
  event: 'failure' | 'removal',
): Promise<LogoutDelivery> {
  const deliveries: {
    -readonly [Name in keyof typeof store.logoutDeliveries]: (typeof store.logoutDeliveries)[Name];
  } = store.logoutDeliveries;
  const { update, remove } = deliveries;
  return new Promise((resolve) => {
    if (event === 'failure') {
      deliveries.update = async (delivery, change) => {
        await update(delivery, change);
        deliveries.update = update;
        resolve(delivery);
      };
    } else {
      deliveries.remove = async (delivery) => {
        await remove(delivery);
        deliveries.remove = remove;
        resolve(delivery);
      };
    }
  });
}
