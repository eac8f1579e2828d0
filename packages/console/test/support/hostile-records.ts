import assert from 'node:assert/strict';
import {
  type AdministrationServer,
  startAdministration,
} from '@watchword/server-testkit/servers/administration';
import { followFlow } from '@watchword/testkit/follow-flow';
import { UserAgent } from '@watchword/testkit/user-agent';
import { type ConsolePage, openConsole } from './console-page.ts';

const markup = '<img src=x onerror=hacked=1>"\'><script>hacked=1</script>{{hacked=1}}';
const scopes = ['__proto__', 'constructor', 'toString', '<img/src=x/onerror=hacked=1>', "';hacked=1//"];

/** The name of a user who has given access. */
export const person = `${markup} #/?&%2f`;

/** Records that their owner filled with markup and with names of members of every object, and an administrator at the GUI. */
export interface HostileRecords extends AsyncDisposable {
  readonly server: AdministrationServer;
  readonly visitor: ConsolePage;
  readonly api: { readonly id: number };
  readonly app: { readonly id: number };
  /** Fails when the page has run or used something of a record. */
  assertHarmless(what: string): Promise<void>;
}

/** @param flags of the server */
export async function startHostileRecords(
  flags: Parameters<typeof startAdministration>[0] = {},
): Promise<HostileRecords> {
  const gui = await openConsole(startAdministration(flags));
  const { server, visitor } = gui;
  const mallory = await server.person(`mallory ${markup}`);
  const texts = { description: markup, contactName: markup };
  const api = await mallory.create('/admin/resourceServer', {
    ...texts,
    name: markup,
    scopes: scopes.map((name) => ({ name, description: markup, descriptions: { nl: markup } })),
  });
  const app = await mallory.create(`/admin/resourceServer/${api.id}/client`, {
    ...texts,
    clientName: `${markup}${'W'.repeat(100)}`,
    scopes,
    attributes: { constructor: markup, toString: markup, [markup]: markup },
    redirectUris: ["https://app.example/';hacked=1//", 'com.example.app:/$(hacked)'],
    useRefreshTokens: true,
    allowedClientCredentials: true,
  });
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: app.clientId,
    redirect_uri: "https://app.example/';hacked=1//",
  });
  const url = `${server.baseUrl}/authorize?${query}`;
  const answers = { username: person, password: JSON.stringify({ attributes: { DISPLAY_NAME: markup } }) };
  await followFlow(new UserAgent(), url, answers);
  await server.post('/oauth2/token', { grant_type: markup, client_id: app.clientId, scope: markup });
  await visitor.signIn('root', '/', JSON.stringify({ adminPrincipal: true }));
  return {
    ...{ server, visitor, api, app },
    async assertHarmless(what) {
      const { page } = visitor;
      const used = await page.evaluate(`[
        typeof hacked,
        document.querySelectorAll('[onerror], main script, [role=dialog] script').length,
        ({}).polluted ?? Object.keys(Object.prototype).length,
      ]`);
      assert.deepEqual(used, ['undefined', 0, 0], what);
      assert.deepEqual(visitor.errors(), [], what);
    },
    [Symbol.asyncDispose]: () => gui[Symbol.asyncDispose](),
  };
}
