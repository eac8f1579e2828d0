import { shellCommand } from '@watchword/protocol';
import { broken, type Finding, ok } from '../finding.ts';
import { jsonOf, type Reply, shownReply } from '../send.ts';
import { basic, type ClientRequests } from './client-requests.ts';
import type { Flow } from './flow.ts';

/** Asks the server about a token: as the resource server if its secret is known, or else as the client itself. */
export interface TokenQuestion {
  finding(token: string): Promise<Finding>;
  isActive(token: string): Promise<boolean>;
}

/** `undefined` if nobody can ask. */
export async function tokenQuestionOf(
  requests: ClientRequests,
  { resourceServer, secrets, server }: Flow,
): Promise<TokenQuestion | undefined> {
  const secret =
    resourceServer === undefined ? undefined : await secrets.find('resourceServer', resourceServer);
  if (resourceServer !== undefined && secret !== undefined) {
    const headers = { authorization: basic(resourceServer, secret) };
    const ask = (token: string) =>
      server.send(`${server.baseUrl}/v1/tokeninfo`, { headers, form: { access_token: token } });
    return tokenInfo(resourceServer, ask);
  }
  if (!requests.isConfidential) return undefined;
  return introspection((token) => requests.post('introspection_endpoint', { token }));
}

function tokenInfo(resourceServer: string, ask: (token: string) => Promise<Reply>): TokenQuestion {
  return {
    async finding(token) {
      const reply = await ask(token);
      const { audience, scopes } = jsonOf(reply);
      if (reply.status === 200) {
        return ok(
          `${resourceServer} learns that the token is of ${audience}, with the scopes ${[scopes ?? []].flat().join(' ')}`,
        );
      }
      return broken(`${resourceServer} gets ${shownReply(reply)}`, {
        expected: 'status 200 and what the token permits',
        advice:
          reply.status === 401
            ? `the secret is wrong: "${shellCommand('watchword resource-server rotate-secret {name}', { name: resourceServer })}" makes a new one`
            : 'the API must be the resource server of the client',
      });
    },
    isActive: async (token) => (await ask(token)).status === 200,
  };
}

function introspection(ask: (token: string) => Promise<Reply>): TokenQuestion {
  return {
    async finding(token) {
      const reply = await ask(token);
      const { active, scope } = jsonOf(reply);
      if (active === true) {
        return ok(
          `the token is active, with the scope ${scope}; asked by the client itself, because the secret of the resource server is not known`,
        );
      }
      return broken(
        `the introspection is answered with ${shownReply(reply)}, active: ${active ?? 'absent'}`,
        {
          expected: 'an active token (RFC 7662)',
          advice: 'look at the log of the server; the clocks of nodes must agree',
        },
      );
    },
    isActive: async (token) => jsonOf(await ask(token)).active === true,
  };
}
