import { OutboundError } from '@watchword/outbound';
import { type Finding, ok, warning } from '../finding.ts';
import type { Check, Patient } from '../patient.ts';
import { shownReply } from '../send.ts';

/** What a client gets that uses http in place of https. */
export const plainHttp: Check = {
  name: 'plain-http',
  async run(server): Promise<readonly Finding[]> {
    const url = new URL(server.baseUrl);
    // Beside another port than that of https, http has no usual port.
    if (url.protocol !== 'https:' || url.port !== '') return [];
    return [await plainHttpFinding(server, server.baseUrl.replace(/^https:/, 'http:'))];
  },
};

/** @param plainUrl the base URL with http */
export async function plainHttpFinding({ send }: Pick<Patient, 'send'>, plainUrl: string): Promise<Finding> {
  const url = `${plainUrl}/oauth2/token`;
  try {
    const reply = await send(url, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    const { status } = reply;
    if (status === 307 || status === 308) return ok(`${url} redirects to https and keeps POST`);
    if (status === 301 || status === 302 || status === 303) {
      return warning(
        `POST ${url} answers with ${shownReply(reply)}, which turns a POST into a GET without its body`,
        {
          expected: 'status 308, which keeps the method, or no answer to POST',
          advice: 'let the proxy redirect with 308 (nginx: return 308 https://$host$request_uri)',
        },
      );
    }
    if (status >= 400) return ok(`${url} rejects requests without TLS`);
    return warning(`POST ${url} answers with ${shownReply(reply)}`, {
      expected: 'a redirect to https with status 308, or an error',
      advice: 'let the proxy not pass requests without TLS on to the server',
    });
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    return ok('nothing answers without TLS');
  }
}
