import { broken, type Finding, ok } from '../finding.ts';
import type { Check, Reached } from '../patient.ts';
import { isOwnError, type Reply, type Sending, shownReply } from '../send.ts';
import { isWithin } from '../within.ts';

/** How an endpoint is asked, and how the server answers a request that has nothing in it. */
interface Probe {
  readonly member: string;
  readonly sending: Sending;
  readonly statuses: readonly number[];
}

const post: Sending = { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' } };
const probes: readonly Probe[] = [
  { member: 'authorization_endpoint', sending: {}, statuses: [400] },
  { member: 'token_endpoint', sending: post, statuses: [400, 401] },
  { member: 'revocation_endpoint', sending: post, statuses: [400, 401] },
  { member: 'introspection_endpoint', sending: post, statuses: [400, 401] },
  { member: 'tokeninfo_endpoint', sending: post, statuses: [401] },
  { member: 'revocation_feed_endpoint', sending: {}, statuses: [401] },
  { member: 'userinfo_endpoint', sending: {}, statuses: [401] },
  { member: 'end_session_endpoint', sending: {}, statuses: [200] },
  { member: 'jwks_uri', sending: {}, statuses: [200] },
];

/** Whether each endpoint of the metadata answers at the address that clients read there. */
export const endpoints: Check = {
  name: 'endpoints',
  async run({ baseUrl, metadata, send }: Reached): Promise<readonly Finding[]> {
    const findings: Finding[] = [];
    for (const { member, sending, statuses } of probes) {
      const url = metadata[member];
      if (typeof url !== 'string' || !URL.canParse(url)) continue;
      if (!isWithin(baseUrl, url)) {
        findings.push(elsewhere(member, url, baseUrl));
        continue;
      }
      const problem = problemOf(await send(url, sending), statuses);
      if (problem === undefined) continue;
      const { method = 'GET' } = sending;
      findings.push(
        broken(`${method} ${url} (${member}) answers with ${problem}`, {
          expected: `status ${statuses.join(' or ')} of the server, for a request with nothing in it`,
          advice: `let the proxy pass ${method} requests for everything below ${baseUrl} on to the server`,
        }),
      );
    }
    return findings.length === 0 ? [ok('every endpoint of the metadata answers')] : findings;
  },
};

/** Nothing is sent there: the address can be that of an attacker, who would get the secrets of the flow. */
function elsewhere(member: string, url: string, baseUrl: string): Finding {
  return broken(`the metadata has the ${member} ${url}`, {
    expected: `an address below ${baseUrl}, as each endpoint of the server has`,
    advice:
      'let the proxy pass the metadata on unchanged (nginx: no sub_filter), or correct baseUrl of the server',
  });
}

function problemOf(reply: Reply, statuses: readonly number[]): string | undefined {
  // The limit of failed attempts of the server: the request has reached it.
  if (reply.status === 429 && isOwnError(reply)) return undefined;
  if (!statuses.includes(reply.status)) return shownReply(reply);
  const isServer = reply.status < 400 || isOwnError(reply);
  return isServer ? undefined : `${shownReply(reply)}, not from the server`;
}
