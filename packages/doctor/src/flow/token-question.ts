import { shellCommand } from '@watchword/protocol';
import {
  CheckError,
  type CheckFinding,
  ConfigurationError,
  createTokenVerifier,
  type TokenVerifierOptions,
} from '@watchword/resource-server';
import { broken, type Finding, ok } from '../finding.ts';
import { jsonOf, type Reply, type Send, shownReply } from '../send.ts';
import type { ClientRequests } from './client-requests.ts';
import { basic } from './credentials.ts';
import type { Flow } from './flow.ts';

/** Asks the server about a token: as the resource server if its secret is known, or else as the client itself. */
export interface TokenQuestion {
  finding(token: string): Promise<Finding>;
  isActive(token: string): Promise<boolean>;
  /** What the verifier of an API finds out about the server; only as the resource server. */
  readonly apiFindings?: () => Promise<readonly Finding[]>;
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
    const apiFindings = () => findingsOfApi(resourceServer, secret, server);
    return { ...tokenInfo(resourceServer, ask), apiFindings };
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

/** @param scope of an answer */
export function shownScope(scope: unknown): string {
  return typeof scope === 'string' && scope !== '' ? `the scope ${scope}` : 'no scope';
}

function introspection(ask: (token: string) => Promise<Reply>): TokenQuestion {
  return {
    async finding(token) {
      const reply = await ask(token);
      const { active, scope } = jsonOf(reply);
      if (active === true) {
        return ok(
          `the token is active, with ${shownScope(scope)}; asked by the client itself, because the secret of the resource server is not known`,
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

/** The check that each API makes before it listens: here from this machine, and by the base URL. */
async function findingsOfApi(
  key: string,
  secret: string,
  { baseUrl: url, send }: Flow['server'],
): Promise<readonly Finding[]> {
  try {
    // The findings say all that is warned of.
    // At which URL the API is, this command does not know; it presents no proof there.
    const verifier = createTokenVerifier({
      url,
      publicUrl: url,
      key,
      secret,
      fetch: fetchBy(send),
      warn() {},
    });
    return shownFindings(key, await verifier.check());
  } catch (error) {
    if (error instanceof CheckError) return shownFindings(key, error.findings);
    if (!(error instanceof ConfigurationError)) throw error;
    const advice = 'give the API these values as the server has them';
    return [broken(error.message, { expected: 'key, secret and address that an API can use', advice })];
  }
}

/** One that names what is good, unless there is more to say. */
function shownFindings(key: string, findings: readonly CheckFinding[]): readonly Finding[] {
  const worth = findings.flatMap(({ check: _, level: verdict, message: found, ...cure }) =>
    verdict === 'warning' || verdict === 'broken' ? [{ verdict, found, ...cure }] : [],
  );
  if (worth.length > 0) return worth;
  const format = findings.find(({ check }) => check === 'format')?.message;
  return [ok(`an API can verify tokens as ${key}: ${format}`)];
}

/** What an API takes of a list of revocations. */
const maxBytes = 67_108_864;

function fetchBy(send: Send): TokenVerifierOptions['fetch'] {
  return async (url, { headers, body }) => {
    const form = body !== undefined && { form: new URLSearchParams(body) };
    const { status, headers: fields, text } = await send(url, { headers, maxBytes, ...form });
    return {
      status,
      headers: { get: (name) => fields[name]?.toString() ?? null },
      body: new Response(text).body,
    };
  };
}
