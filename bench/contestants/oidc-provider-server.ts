import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { Provider } from 'oidc-provider';
import type { FlowClient, IdTokenAlgorithm } from '../load/flow-load.ts';
import { MemoryStore } from './memory-store.ts';
import { given, listen } from './script.ts';

/** What the parent process gives to the script. */
export interface OidcProviderOptions {
  readonly clients: readonly FlowClient[];
  readonly interactions: 'one' | 'two';
}

/**
 * oidc-provider with as little around it as it can do with: a store in memory, opaque tokens, ID tokens only for
 * clients that log users in, unsigned cookies, and interactions that are one short page each. A refresh token is replaced when it is used,
 * as Watchword does it.
 *
 * Its documentation finishes the interaction after the login and begins another for consent. With one
 * interaction, both forms share it, which spares it a third of its redirects.
 */
const { clients, interactions } = given<OidcProviderOptions>();
const isOneInteraction = interactions === 'one';
const algorithms = clients.flatMap(({ idTokenAlgorithm }) => idTokenAlgorithm ?? []);

const pairs: Readonly<Record<IdTokenAlgorithm, () => KeyObject>> = {
  EdDSA: () => generateKeyPairSync('ed25519').privateKey,
  ES256: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey,
  RS256: () => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey,
};

listen(createServer(), (port) => {
  const provider = new Provider(`http://127.0.0.1:${port}`, {
    clients: clients.map((client) => ({
      client_id: client.clientId,
      client_secret: client.secret,
      grant_types: client.grantTypes ?? ['authorization_code'],
      ...(client.grantTypes?.includes('authorization_code') === false
        ? { redirect_uris: [], response_types: [] }
        : { redirect_uris: [client.redirectUri], response_types: ['code'] }),
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
    adapter: MemoryStore,
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      // A resource server is a client here, which asks about the tokens of another.
      introspection: { enabled: true, allowedPolicy: () => true },
    },
    issueRefreshToken: (_context: unknown, client: { grantTypeAllowed(type: string): boolean }) =>
      client.grantTypeAllowed('refresh_token'),
    rotateRefreshToken: true,
    interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    findAccount: (_context: unknown, accountId: string) => ({
      accountId,
      claims: () => ({ sub: accountId }),
    }),
    ttl: {
      AccessToken: 3600,
      ClientCredentials: 3600,
      RefreshToken: 86_400,
      Grant: 3600,
      Interaction: 600,
      Session: 3600,
    },
  });
  const handle = provider.callback();
  return (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return handle(request, response);
    interact(provider, request, response).catch((error) => {
      console.error(error);
      response.writeHead(500).end();
    });
  };
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
