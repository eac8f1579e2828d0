import { type Answer, ask } from '@watchword/server-testkit/clients/ask';
import { startBalancedServers } from '@watchword/server-testkit/servers/balanced-servers';
import {
  demoResourceServer,
  type Served,
  startServer,
  type TestServer,
} from '@watchword/server-testkit/servers/server';
import { type Page, UserAgent } from '@watchword/testkit/user-agent';
import type { SettingPath } from '../../../server/src/config/settings.ts';
import type { IdentityProvider } from './identity-provider.ts';

export const authorizePath = '/authorize?response_type=code&client_id=demo-app';

/** A server with SAML logins, or several behind one base URL. */
export interface Service extends AsyncDisposable {
  readonly server: Served & { log(): string };
  readonly baseUrl: string;
  readonly acs: string;
  metadata(): Promise<string>;
  /** Log lines of refused logins and logouts. @param from the length of the log before them */
  refusedLogins(from?: number): {
    readonly check: string;
    readonly detail: string;
    readonly provider: string;
    readonly requestId: string;
  }[];
  principalOf(code: string): Promise<unknown>;
}

export async function startService(
  options: Record<string, unknown>,
  settings: Partial<Record<SettingPath, string>> = {},
): Promise<Service & { readonly server: TestServer }> {
  const server = await startServer({ ...samlSettings(options), ...settings });
  return { ...serviceOf(server), server };
}

/** Two servers on one PostgreSQL database. Each request goes to the other one. */
export async function startServiceOfNodes(
  options: Record<string, unknown>,
  more: Partial<Record<SettingPath, string>> = {},
): Promise<Service> {
  return serviceOf(await startBalancedServers({ ...samlSettings(options), ...more }));
}

function samlSettings(options: Record<string, unknown>): Partial<Record<SettingPath, string>> {
  return {
    authenticator: '@watchword/saml',
    authenticatorOptions: JSON.stringify({ allowPrivateAddresses: true, ...options }),
    consent: 'noop',
    // An RSA key takes longer to make than most tests.
    'signing.algorithms': 'ES256',
  };
}

function serviceOf(server: Served & AsyncDisposable & { log(): string }): Service {
  const baseUrl = server.service.baseUrl;
  return {
    server,
    baseUrl,
    acs: `${baseUrl}/saml/acs`,
    metadata: async () => (await ask(`${baseUrl}/saml/metadata`)).text,
    refusedLogins: (from = 0) =>
      linesWith(server.log().slice(from), 'was rejected"')
        .map((line) => JSON.parse(line))
        .filter(({ msg }) => /a (?:login|logout) was rejected/.test(msg)),
    async principalOf(code) {
      const form = { grant_type: 'authorization_code', code };
      const token = await server.post('/oauth2/token', form, 'demo-app:demo-app-client-secret');
      const { access_token } = token.json;
      return (await server.post('/v1/tokeninfo', { access_token }, demoResourceServer)).json.principal;
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** The lines that have the text. Tests of attacks read a long log hundreds of times. */
function linesWith(log: string, text: string): string[] {
  const lines: string[] = [];
  for (let at = log.indexOf(text); at >= 0; ) {
    const end = log.indexOf('\n', at);
    lines.push(log.slice(log.lastIndexOf('\n', at) + 1, end));
    at = log.indexOf(text, end);
  }
  return lines;
}

/** Sends an authorization request of the demo application; resolves with a redirect or a page of this server. */
export function requestLogin(service: Service, agent = new UserAgent(), query = ''): Promise<Page> {
  return agent.get(`${service.baseUrl}${authorizePath}${query}`);
}

/** The form that the browser posts for an identity provider. */
export interface PostedResponse {
  readonly SAMLResponse: string;
  readonly RelayState: string;
}

/** Logs in at the identity provider of the page; resolves with the form for this server. */
export async function atProvider(page: Page): Promise<PostedResponse> {
  const elsewhere = new UserAgent();
  const [form] = page.forms;
  const shown =
    page.location !== undefined
      ? await elsewhere.get(page.location)
      : await elsewhere.post(form?.action ?? '', fieldsOf(page));
  const { SAMLResponse, RelayState } = fieldsOf(shown);
  if (SAMLResponse === undefined || RelayState === undefined) {
    throw new Error(`the identity provider answered ${shown.status}: ${shown.text}`);
  }
  return { SAMLResponse, RelayState };
}

function fieldsOf({ forms }: Page): Record<string, string> {
  return Object.fromEntries((forms[0]?.controls ?? []).map(({ name, value }) => [name, value]));
}

/** Posts the form from another site, so without cookies. */
export function postAcross(service: Service, fields: Partial<PostedResponse>): Promise<Answer> {
  return ask(service.acs, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      origin: 'http://127.0.0.1:1',
      'sec-fetch-site': 'cross-site',
    },
    body: new URLSearchParams(fields as Record<string, string>).toString(),
  });
}

/** Posts the form and follows the redirect with cookies; resolves with the last page. */
export async function comeBack(service: Service, agent: UserAgent, fields: PostedResponse): Promise<Page> {
  const answer = await postAcross(service, fields);
  const location = answer.headers.get('location');
  if (location === null) throw new Error(`the assertion was rejected with ${answer.status}: ${answer.text}`);
  return agent.get(location);
}

/** Runs a whole login; resolves with the response to the client, or with an error page. */
export async function logIn(service: Service, agent = new UserAgent(), query = ''): Promise<Page> {
  return comeBack(service, agent, await atProvider(await requestLogin(service, agent, query)));
}

export function codeOf(page: Page): string {
  const code = page.location === undefined ? null : new URL(page.location).searchParams.get('code');
  if (code === null) throw new Error(`the login ended at ${page.url} with ${page.status}: ${page.text}`);
  return code;
}

/** Registers the metadata of the service at the identity providers. */
export async function introduce(service: Service, ...providers: IdentityProvider[]): Promise<void> {
  const metadata = await service.metadata();
  for (const provider of providers) provider.register(metadata);
}

export function inline(
  provider: IdentityProvider,
  more: Record<string, unknown> = {},
): Record<string, unknown> {
  return {
    entityId: provider.entityId,
    singleSignOnUrl: provider.ssoUrl,
    singleLogoutUrl: provider.ssoUrl.replace('/sso', '/slo'),
    certificates: provider.key.certificateBase64,
    ...more,
  };
}
