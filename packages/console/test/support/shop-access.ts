import {
  type Administering,
  type AdministrationServer,
  anApi,
  anApp,
  startAdministration,
} from '@watchword/server-testkit/servers/administration';
import { followFlow } from '@watchword/testkit/follow-flow';
import { UserAgent } from '@watchword/testkit/user-agent';
import type { Locator } from 'playwright-core';
import { type ConsolePage, openConsole } from './console-page.ts';

/** A client whose users give it access, and an administrator at the GUI. */
export interface ShopAccess extends AsyncDisposable {
  readonly server: AdministrationServer;
  readonly visitor: ConsolePage;
  /** The user who owns the client and its resource server. */
  readonly owner: Administering;
  readonly api: { readonly id: number };
  readonly shop: { readonly id: number; readonly clientId: string };
  /** The user logs in and allows everything, by default in a new browser. Resolves with the refresh token. */
  grant(username: string, persona?: object, agent?: UserAgent): Promise<string>;
  /** Whether the refresh token is valid. It is used. */
  isValid(refreshToken: string): Promise<boolean>;
  /** The row of the list for a name. */
  rowOf(name: string): Locator;
}

export async function startShopAccess(): Promise<ShopAccess> {
  const gui = await openConsole(startAdministration());
  const { server, visitor } = gui;
  const owner = await server.person('owner');
  const api = await owner.create('/admin/resourceServer', anApi);
  const shop = await owner.create(`/admin/resourceServer/${api.id}/client`, {
    ...anApp,
    clientName: 'Book shop',
    redirectUris: ['https://shop.example/cb'],
    useRefreshTokens: true,
  });
  const credentials = `${shop.clientId}:${shop.secret}`;
  await visitor.signIn('root', '/', JSON.stringify({ adminPrincipal: true }));
  return {
    ...{ server, visitor, owner, api, shop },
    async grant(username, persona = {}, agent = new UserAgent()) {
      const url = `${server.baseUrl}/authorize?response_type=code&client_id=${shop.clientId}`;
      const answers = { username, password: JSON.stringify(persona) };
      const { parameters } = await followFlow(agent, url, answers);
      const form = { grant_type: 'authorization_code', code: parameters.get('code') ?? '' };
      return (await server.post('/oauth2/token', form, credentials)).json.refresh_token;
    },
    async isValid(refreshToken) {
      const form = { grant_type: 'refresh_token', refresh_token: refreshToken };
      return (await server.post('/oauth2/token', form, credentials)).status === 200;
    },
    rowOf: (name) => visitor.page.getByRole('row', { name }).first(),
    [Symbol.asyncDispose]: () => gui[Symbol.asyncDispose](),
  };
}
