import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Provider } from 'oidc-provider';
import type { FlowClient, IdTokenAlgorithm } from '../load/flow-load.ts';

/**
 * oidc-provider with as little around it as it can do with: its own store in memory, opaque tokens, ID tokens only for
 * clients that log users in, unsigned cookies, and interactions that are one short page each. Says its port on standard output.
 *
 * Its documentation finishes the interaction after the login and begins another for consent. With
 * `FLOW_INTERACTIONS=one` both forms share one interaction, which spares it a third of its redirects.
 */
const isOneInteraction = process.env.FLOW_INTERACTIONS === 'one';
const clients = JSON.parse(process.env.FLOW_CLIENTS ?? '[]') as readonly FlowClient[];
const algorithms = clients.flatMap(({ idTokenAlgorithm }) => idTokenAlgorithm ?? []);

const pairs: Readonly<Record<IdTokenAlgorithm, () => KeyObject>> = {
  EdDSA: () => generateKeyPairSync('ed25519').privateKey,
  ES256: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey,
  RS256: () => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey,
};

const server = createServer();
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  const provider = new Provider(`http://127.0.0.1:${port}`, {
    clients: clients.map((client) => ({
      client_id: client.clientId,
      client_secret: client.secret,
      redirect_uris: [client.redirectUri],
      grant_types: ['authorization_code'],
      response_types: ['code'],
      token_endpoint_auth_method: 'client_secret_basic',
      ...(client.idTokenAlgorithm === undefined
        ? { scope: client.scope }
        : { scope: `openid ${client.scope}`, id_token_signed_response_alg: client.idTokenAlgorithm }),
    })),
    scopes: [...(algorithms.length > 0 ? ['openid'] : []), ...new Set(clients.map(({ scope }) => scope))],
    ...(algorithms.length > 0 && {
      jwks: { keys: algorithms.map(privateJwk) },
      enabledJWA: { idTokenSigningAlgValues: algorithms },
    }),
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    findAccount: (_context: unknown, accountId: string) => ({
      accountId,
      claims: () => ({ sub: accountId }),
    }),
    ttl: { AccessToken: 3600, Grant: 3600, Interaction: 600, Session: 3600 },
  });
  const handle = provider.callback();
  server.on('request', (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return handle(request, response);
    interact(provider, request, response).catch((error) => {
      console.error(error);
      response.writeHead(500).end();
    });
  });
  console.log(port);
});

async function interact(provider: Provider, request: IncomingMessage, response: ServerResponse) {
  const action = request.url ?? '';
  const interaction = await provider.interactionDetails(request, response);
  const { params, prompt, session } = interaction;
  if (request.method === 'GET') {
    return page(response, prompt.name === 'login' ? loginPage(action) : consentPage(action, params.scope));
  }
  const form = new URLSearchParams(await text(request));
  const username = form.get('username');
  if (username !== null) {
    const login = { accountId: username };
    if (!isOneInteraction) return provider.interactionFinished(request, response, { login });
    interaction.lastSubmission = { login };
    await interaction.persist();
    return page(response, consentPage(action, params.scope));
  }
  const accountId = session?.accountId ?? interaction.lastSubmission?.login.accountId;
  if (accountId === undefined || form.get('decision') !== 'allow') throw new Error('no login, or no consent');
  const grant = new provider.Grant({ accountId, clientId: params.client_id });
  const login = params.scope.split(' ').filter(isLogin);
  grant.addOIDCScope([...login, ...form.getAll('granted_scopes')].join(' '));
  const consent = { grantId: await grant.save() };
  // What was submitted last, the login, is handed over with it.
  return provider.interactionFinished(request, response, { consent });
}

/** Keys as large as those of Watchword. */
function privateJwk(alg: IdTokenAlgorithm): object {
  return { ...pairs[alg]().export({ format: 'jwk' }), alg, use: 'sig', kid: alg };
}

/** The login itself has no box in the form. */
function isLogin(scope: string): boolean {
  return scope === 'openid';
}

function page(response: ServerResponse, body: string): void {
  response.writeHead(200, { 'Content-Type': 'text/html', 'Content-Length': body.length });
  response.end(body);
}

function loginPage(action: string): string {
  return `<!doctype html><title>Log in</title><form method="post" action="${action}"><input name="username"><input name="password" type="password"><button>Log in</button></form>`;
}

function consentPage(action: string, requested: string): string {
  const scope = requested.split(' ').filter((each) => !isLogin(each));
  return `<!doctype html><title>Consent</title><form method="post" action="${action}"><input type="checkbox" name="granted_scopes" value="${scope}" checked><button name="decision" value="allow">Allow</button></form>`;
}
