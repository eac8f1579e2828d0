import { createAdminClient } from '@watchword/admin-client';
import type { TestServer } from '@watchword/server-testkit/servers/server';
import { testKey } from '@watchword/testkit/certificate';
import { entityXml } from '@watchword/testkit/saml-metadata';

/** A server with records: resource servers, clients, tokens, rejected requests, a change. */
export async function furnish(server: TestServer, token: string) {
  const admin = createAdminClient({ baseUrl: server.service.baseUrl, token: () => token });
  const contact = { contactName: 'Emma de Vries', contactEmail: 'emma@example.com' };
  const orders = await admin.resourceServers.create({
    ...contact,
    name: 'Orders API',
    description: 'Orders, payments and refunds of the shop.',
    scopes: [
      {
        name: 'orders.read',
        description: 'See your orders',
        descriptions: { nl: 'Uw bestellingen bekijken', de: 'Ihre Bestellungen ansehen' },
      },
      { name: 'orders.write', description: 'Order and cancel for you' },
      'refund',
    ],
  });
  await admin.resourceServers.create({ ...contact, name: 'Reporting', description: 'Numbers, every night.' });
  const job = await admin.clients.create(orders.id, {
    ...contact,
    clientName: 'Night job',
    description: 'Closes the books.',
    scopes: ['orders.read'],
    allowedClientCredentials: true,
    expireDuration: 3600,
    attributes: { team: 'finance' },
  });
  const shop = await admin.clients.create(orders.id, {
    ...contact,
    clientName: 'Web shop',
    scopes: orders.scopes,
    redirectUris: ['https://shop.example.com/callback'],
    useRefreshTokens: true,
  });
  for (let count = 0; count < 30; count += 1) {
    await server.post('/oauth2/token', { grant_type: 'client_credentials' }, `night-job:${job.secret}`);
  }
  await server.post('/oauth2/token', { grant_type: 'password' }, `night-job:${job.secret}`);
  await server.post('/oauth2/token', { grant_type: 'client_credentials' }, 'night-job:wrong');
  await admin.accessTokens.create({ clientId: 'web-shop' });
  const address = { resourceServerId: orders.id, id: job.id };
  await admin.clients.update(address, { description: 'Closes the books at midnight.' });
  return { orders, job, shop };
}

/** An identity provider that an administrator has set up; the only way to log in stays the one of the tests. */
export async function addIdentityProvider(server: TestServer, token: string): Promise<void> {
  const admin = createAdminClient({ baseUrl: server.service.baseUrl, token: () => token });
  await admin.authenticators.create({
    name: 'university',
    kind: 'saml',
    label: 'University of Somewhere',
    enabled: false,
    settings: {
      metadata: entityXml({
        entityId: 'https://idp.example.org/metadata',
        names: { en: 'University of Somewhere' },
        certificates: [testKey('university').certificateBase64],
      }),
      groupsFrom: ['urn:mace:dir:attribute-def:isMemberOf'],
    },
  });
}
