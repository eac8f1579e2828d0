import { accountAdministration, systemCaller } from '@watchword/administration';
import { accountRegistration, buildAccount } from '@watchword/testkit';
import { followFlow } from '@watchword/testkit/follow-flow';
import { UserAgent } from '@watchword/testkit/user-agent';
import { argon2Hasher } from '../../../server/src/modules/authentication/password-hasher.ts';
import { systemClock, systemRandom } from '../../../server/src/system.ts';
import {
  type Administering,
  type AdministrationServer,
  administrationCallers,
  startAdministration,
} from './administration.ts';
import { cheapCost, type Served } from './server.ts';

export const accountsPath = '/admin/account';

/** The password of the accounts that {@link AccountServer.addAccount} creates. */
const password = 'correct horse battery';

/** Local accounts and their users. */
export interface AccountUsers {
  /** Logs in as the administration pages do, with an account. @param agent the browser, default: a new one */
  logIn(username: string, given?: string, agent?: UserAgent): Promise<Administering>;
  /** Creates an account with the usual password, as the command line does. */
  addAccount(username: string, adminPrincipal?: boolean): Promise<void>;
  /** Stores accounts `many-1000`, `many-1001` and so on, without a password and without audit events. */
  addManyAccounts(count: number): Promise<void>;
  /** A browser in which the user of the account has logged in to the account page. */
  browserOf(username: string, given?: string): Promise<UserAgent>;
  /** The tokens that `demo-app` gets from the user of the account. */
  grantTo(username: string, agent?: UserAgent): Promise<{ access_token: string; refresh_token: string }>;
  /** Status of token info. */
  tokenStatus(access_token: string): Promise<number>;
}

export interface AccountServer extends AdministrationServer, AccountUsers {}

/** A server whose users log in with local accounts. The account `root` is an administrator. */
export async function startAccountServer(
  flags: Parameters<typeof startAdministration>[0] = {},
): Promise<AccountServer> {
  const server = await startAdministration({ authenticator: 'password', ...flags });
  return { ...server, ...(await accountUsers(server)) };
}

/** The users of a server with local accounts. The account `root` is an administrator. */
export async function accountUsers(server: Served): Promise<AccountUsers> {
  const { as } = administrationCallers(server);
  const { hash } = argon2Hasher({ random: systemRandom, concurrency: 1, cost: cheapCost });
  const admin = accountAdministration({
    ...server.service.store,
    clock: systemClock,
    random: systemRandom,
    hashPassword: hash,
    caller: systemCaller,
  });
  const credentials = 'demo-app:demo-app-client-secret';

  const users: AccountUsers = {
    async addAccount(username, adminPrincipal = false) {
      const names = { username, displayName: `The ${username}` };
      await admin.create(accountRegistration({ ...names, adminPrincipal }), password);
    },
    async addManyAccounts(count) {
      await server.service.store.transact(async ({ accounts }) => {
        for (let n = 0; n < count; n += 1) {
          await accounts.create(buildAccount({ username: `many-${1000 + n}`, passwordHash: undefined }));
        }
      });
    },
    async logIn(username, given = password, agent = new UserAgent()) {
      const query = new URLSearchParams({
        response_type: 'token',
        client_id: 'authorization-server-admin-js-client',
        redirect_uri: `${server.service.baseUrl}/client/client.html`,
        scope: 'read write',
      });
      const url = `${server.baseUrl}/authorize?${query}`;
      const { parameters } = await followFlow(agent, url, { username, password: given });
      return as(parameters.get('access_token') ?? '');
    },
    async browserOf(username, given = password) {
      const agent = new UserAgent();
      await agent.submit(await agent.get(`${server.baseUrl}/account`), { username, password: given });
      return agent;
    },
    async grantTo(username, agent = new UserAgent()) {
      const url = `${server.baseUrl}/authorize?response_type=code&client_id=demo-app`;
      const { parameters } = await followFlow(agent, url, { username, password });
      const form = { grant_type: 'authorization_code', code: parameters.get('code') ?? '' };
      return (await server.post('/oauth2/token', form, credentials)).json;
    },
    async tokenStatus(access_token) {
      const caller = 'demo-resource-server:demo-resource-server-secret';
      return (await server.post('/v1/tokeninfo', { access_token }, caller)).status;
    },
  };
  await users.addAccount('root', true);
  return users;
}

/** Whether the browser is logged in. */
export async function isLoggedIn(agent: UserAgent, { baseUrl }: Pick<Served, 'baseUrl'>): Promise<boolean> {
  const { forms } = await agent.get(`${baseUrl}/account`);
  return !forms.some(({ controls }) => controls.some(({ name }) => name === 'username'));
}
