import type { Client } from '@watchword/admin-client';
import { startServer } from '@watchword/server-testkit/servers/server';
import { openBrowser } from '@watchword/testkit/browser';
import { type ConsolePage, consolePage } from './console-page.ts';

/** The form of a client, and an administrator in a window that shows the form as a whole. */
export interface ClientForm extends AsyncDisposable {
  readonly visitor: ConsolePage;
  /** Opens the form with the stored values. */
  open(): Promise<void>;
  save(): Promise<void>;
  stored(): Promise<Client>;
}

export async function startClientForm(): Promise<ClientForm> {
  const [browser, server] = await Promise.all([openBrowser(), startServer({ authenticator: 'noop-admin' })]);
  const visitor = await consolePage(browser, server, { viewport: { width: 1280, height: 2600 } });
  await visitor.signIn(undefined, '/nowhere');
  const admin = visitor.admin();
  const contact = { contactName: 'Emma' };
  const { id: resourceServerId } = await admin.resourceServers.create({ ...contact, name: 'API' });
  const { id } = await admin.clients.create(resourceServerId, {
    ...contact,
    clientName: 'Job',
    expireDuration: 60,
    attributes: { team: 'finance' },
  });
  return {
    visitor,
    async open() {
      await visitor.goTo('/nowhere');
      await visitor.page.getByText('There is no such page').waitFor();
      await visitor.goTo(`/resource-servers/${resourceServerId}/clients/${id}?tab=settings`);
    },
    save: () => visitor.page.getByRole('button', { name: 'Save' }).click(),
    stored: async () => (await admin.clients.get({ resourceServerId, id })).record,
    async [Symbol.asyncDispose]() {
      await Promise.all([browser, server].map((each) => each[Symbol.asyncDispose]()));
    },
  };
}
