import { type Finding, ok, warning } from '../finding.ts';
import { shownReply } from '../send.ts';
import type { Flow } from './flow.ts';

/** Whether an application in the browser, which is a public client, can send token requests (Fetch standard, CORS protocol). */
export async function preflightFindings({ client, server }: Flow): Promise<readonly Finding[]> {
  const uri = client.redirectUris.find((candidate) => /^https?:/.test(candidate));
  if (client.confidential || uri === undefined) return [];
  const { origin } = new URL(uri);
  const reply = await server.send(String(server.metadata.token_endpoint), {
    method: 'OPTIONS',
    headers: { origin, 'access-control-request-method': 'POST' },
  });
  const allowed = reply.headers['access-control-allow-origin'];
  if (reply.status < 300 && allowed === origin) return [ok(`scripts of ${origin} can send token requests`)];
  const found = `a preflight of ${origin} is answered with ${shownReply(reply)} and Access-Control-Allow-Origin: ${allowed ?? 'none'}`;
  return [
    warning(found, {
      expected: `status 204 and Access-Control-Allow-Origin: ${origin}, if the application runs in a browser`,
      advice: 'let the proxy pass OPTIONS requests and the headers Access-Control-* on unchanged',
    }),
  ];
}
