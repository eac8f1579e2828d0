import type { AdminClient, ClientAddress } from '@watchword/admin-client';
import { startServer } from '@watchword/server-testkit/servers/server';
import { openBrowser } from '@watchword/testkit/browser';
import { type ConsolePage, consolePage } from './console-page.ts';

const contact = { contactName: 'Emma', contactEmail: 'emma@example.com' };

/** The form of a client, and an administrator who changes the client meanwhile. */
export interface ContestedForm extends AsyncDisposable {
  readonly visitor: ConsolePage;
  readonly colleague: AdminClient;
  /** Opens the form of a new client, and types a description. */
  begin(): Promise<ClientAddress>;
  /** Ends the token of the window. */
  endToken(): Promise<void>;
  description(): ReturnType<ConsolePage['page']['getByLabel']>;
  save(): Promise<void>;
  dialog(): ReturnType<ConsolePage['page']['getByRole']>;
  /** The cells of a field in the dialog. */
  compared(field: string): Promise<string[]>;
  shownAsSaved(): Promise<void>;
  /** The user returns to the window: the page reads its records again. */
  comeBack(): Promise<void>;
}

export async function startContestedForm(): Promise<ContestedForm> {
  const [browser, server] = await Promise.all([openBrowser(), startServer({ authenticator: 'noop-admin' })]);
  const visitor = await consolePage(browser, server);
  const { page } = visitor;
  await page.clock.install();
  await visitor.signIn(undefined, '/nowhere');
  const colleague = visitor.admin();
  const description = () => page.getByLabel('Description');
  const dialog = () => page.getByRole('dialog', { name: 'Another user has changed it' });
  let count = 0;
  let clientId = 0;

  return {
    ...{ visitor, colleague, description, dialog },
    async begin() {
      count += 1;
      const api = { ...contact, name: `API ${count}`, scopes: ['read', 'write'] };
      const { id: resourceServerId } = await colleague.resourceServers.create(api);
      const fields = { ...contact, clientName: `Job ${count}`, scopes: ['read'], expireDuration: 60 };
      ({ id: clientId } = await colleague.clients.create(resourceServerId, fields));
      await visitor.goTo(`/resource-servers/${resourceServerId}/clients/${clientId}?tab=settings`);
      await description().fill('Mine.');
      return { resourceServerId, id: clientId };
    },
    async endToken() {
      const form = { token: visitor.token(), client_id: 'authorization-server-admin-js-client' };
      await server.post('/oauth2/revoke', form);
    },
    save: () => page.getByRole('button', { name: 'Save' }).click(),
    async compared(field) {
      const row = dialog().getByRole('row', { name: field });
      await row.waitFor();
      return row.getByRole('cell').allInnerTexts();
    },
    shownAsSaved: () => page.locator('.form-foot[data-dirty=false]').waitFor(),
    async comeBack() {
      const read = page.waitForResponse((response) => response.url().endsWith(`/client/${clientId}`));
      await page.clock.fastForward(11_000);
      await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))");
      await read;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([browser, server].map((each) => each[Symbol.asyncDispose]()));
    },
  };
}
