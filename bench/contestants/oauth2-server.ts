import { timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import OAuth2Server, { type RefreshToken, type Token } from '@node-oauth/oauth2-server';
import { given, listen } from './script.ts';

/** A client of the script. */
export interface OAuth2ServerClient {
  readonly clientId: string;
  readonly secret: string;
  readonly grantTypes: readonly string[];
}

/**
 * A token endpoint by `@node-oauth/oauth2-server` with its defaults, on `node:http`. The package leaves the store to its user; this
 * one is in memory.
 */
const clients = new Map(
  given<readonly OAuth2ServerClient[]>().map(({ clientId, secret, grantTypes }) => [
    clientId,
    { secret, client: { id: clientId, grants: [...grantTypes] } },
  ]),
);
const maxTokens = 100_000;
const accessTokens = new Map<string, Token>();
const refreshTokens = new Map<string, RefreshToken>();

const oauth = new OAuth2Server({
  model: {
    async getClient(id: string, secret: string) {
      const known = clients.get(id);
      const isSame =
        known?.secret.length === secret.length &&
        timingSafeEqual(Buffer.from(known.secret), Buffer.from(secret));
      return isSame ? known.client : false;
    },
    async getUserFromClient({ id }) {
      return { id };
    },
    // Any user, as in the demo mode of Watchword.
    async getUser(username: string) {
      return { id: username };
    },
    async validateScope() {
      return ['read'];
    },
    async saveToken(token, client, user) {
      const saved = { ...token, client, user };
      keep(accessTokens, saved.accessToken, saved);
      if (saved.refreshToken !== undefined) {
        keep(refreshTokens, saved.refreshToken, saved as RefreshToken);
      }
      return saved;
    },
    async getAccessToken(accessToken: string) {
      return accessTokens.get(accessToken);
    },
    async getRefreshToken(refreshToken: string) {
      return refreshTokens.get(refreshToken);
    },
    async revokeToken({ refreshToken }: RefreshToken) {
      return refreshTokens.delete(refreshToken);
    },
  },
});

listen(createServer(), () => (request, response) => {
  answer(request, response).catch((error) => {
    console.error(error);
    response.writeHead(500).end();
  });
});

async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const request = new OAuth2Server.Request({
    headers: incoming.headers as Record<string, string>,
    method: incoming.method ?? '',
    query: {},
    body: Object.fromEntries(new URLSearchParams(await text(incoming))),
  });
  const response = new OAuth2Server.Response();
  await oauth.token(request, response);
  const body = JSON.stringify(response.body);
  outgoing.writeHead(response.status ?? 500, {
    ...response.headers,
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
  });
  outgoing.end(body);
}

/** The oldest make room, as in the store in memory of oidc-provider. */
function keep<Kept>(tokens: Map<string, Kept>, name: string, token: Kept): void {
  if (tokens.size >= maxTokens) {
    const [oldest] = tokens.keys();
    if (oldest !== undefined) tokens.delete(oldest);
  }
  tokens.set(name, token);
}
