import { shown } from '@watchword/protocol';
import { broken, type Finding, ok, warning } from '../finding.ts';
import type { Check, Reached } from '../patient.ts';
import { jsonOf, shownReply } from '../send.ts';

const wellKnown = ['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration'];

// For clients such as those of MCP it is the only place.
const inserted = ', where clients look for the metadata of a base URL with a path (RFC 8414 section 3.1),';

/** The documents from which client libraries configure themselves (RFC 8414 §3, OpenID Connect Discovery §4). */
export const discovery: Check = {
  name: 'discovery',
  async run(server: Reached): Promise<readonly Finding[]> {
    const { baseUrl, metadata } = server;
    const { origin, pathname } = new URL(baseUrl);
    const findings = [issuerFinding(metadata.issuer, baseUrl)];
    for (const path of wellKnown) findings.push(...(await documentAt(`${baseUrl}${path}`, server, broken)));
    // RFC 8414 §3.1 puts the well-known part between host and path. Clients of OpenID Connect append it, most of them only.
    if (pathname !== '/') {
      const [oauth, openid] = wellKnown.map((path) => `${origin}${path}${pathname}`);
      findings.push(...(await documentAt(`${oauth}`, server, broken, inserted)));
      findings.push(...(await documentAt(`${openid}`, server, warning, inserted)));
      findings.push(...(await passwordFinding(origin, server)));
    }
    return findings;
  },
};

const changePassword = '/.well-known/change-password';

/** Password managers know the host alone. A server without local accounts has no such address. */
async function passwordFinding(origin: string, { baseUrl, send }: Reached): Promise<readonly Finding[]> {
  const below = await send(`${baseUrl}${changePassword}`);
  if (below.status !== 303) return [];
  const url = `${origin}${changePassword}`;
  const reply = await send(url);
  if (reply.status === 303) return [];
  return [
    warning(
      `${url}, where password managers look for the page of passwords, answers with ${shownReply(reply)}`,
      {
        expected: 'status 303, which leads to the page',
        advice: `let the proxy lead this path to the server, unchanged: ${changePassword}`,
      },
    ),
  ];
}

function issuerFinding(issuer: unknown, baseUrl: string): Finding {
  if (issuer === baseUrl) return ok(`the issuer is ${baseUrl}`);
  return broken(
    `the issuer in the metadata is ${typeof issuer === 'string' ? shown(issuer, 200) : JSON.stringify(issuer)}`,
    {
      expected: `exactly ${baseUrl}, because clients compare it character by character (RFC 8414 section 3.3)`,
      advice: `set baseUrl of the server to ${baseUrl}, or give clients the issuer that the server has`,
    },
  );
}

async function documentAt(
  url: string,
  { metadata, send }: Reached,
  severity: typeof broken,
  place = '',
): Promise<readonly Finding[]> {
  const reply = await send(url);
  const expected = 'status 200 and the same metadata at each address of it';
  if (reply.status !== 200) {
    return [
      severity(`${url}${place} answers with ${shownReply(reply)}`, {
        expected,
        advice: `let the proxy lead this path to the server, unchanged: ${new URL(url).pathname}`,
      }),
    ];
  }
  if (JSON.stringify(jsonOf(reply)) === JSON.stringify(metadata)) return [];
  return [
    severity(`${url} has other metadata than the first address`, {
      expected,
      advice: 'let the proxy lead both to the same server, and empty its cache after a change of baseUrl',
    }),
  ];
}
