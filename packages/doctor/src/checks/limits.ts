import { OutboundError } from '@watchword/outbound';
import { EchoError } from '../echo.ts';
import { broken, type Finding, ok, skipped, warning } from '../finding.ts';
import type { Check, EchoRequest, Reached } from '../patient.ts';
import { isOwnError, shownReply } from '../send.ts';
import { isWithin } from '../within.ts';
import { withoutEcho } from './identity.ts';

interface Size {
  readonly what: string;
  readonly request: EchoRequest;
  /** Only an ID token of a user with very many groups, as a hint, makes a request so large. */
  readonly isRare?: boolean;
}

const cookieOf = (length: number) => ({ cookie: `doctor=${'x'.repeat(length)}` });

/** What authorization requests, their cookies and answers can have (README, Running it). */
export const sizes: readonly Size[] = [
  { what: 'a request with 6,000 characters in its URL', request: { query: 6000 } },
  { what: 'a request with 6,000 characters of cookies', request: { headers: cookieOf(6000) } },
  { what: 'a request with 18,000 characters in its URL', request: { query: 18_000 } },
  { what: 'a request with 34,000 characters in its URL', request: { query: 34_000 }, isRare: true },
  { what: 'a request with 19,000 characters of cookies', request: { headers: cookieOf(19_000) } },
  { what: 'an answer with 12,000 characters in its headers', request: { padding: 12_000 } },
];

export const advice =
  'raise the limits of the proxy (nginx: large_client_header_buffers 4 40k; proxy_buffer_size 32k; proxy_buffers 4 32k; others: deploy/proxy)';

/** Whether the largest requests and answers pass the proxy. Logins of users with many groups need them. */
export const limits: Check = {
  name: 'limits',
  async run(server: Reached): Promise<readonly Finding[]> {
    const { echo } = server;
    if (echo !== undefined) {
      const findings = await tooLarge(sizes, async (request) => {
        await echo(request);
        return undefined;
      });
      return findings.length > 0 ? findings : [ok('the largest requests and answers pass')];
    }
    const requests = sizes.filter(({ request }) => request.padding === undefined);
    const unknown = 'the limit of a proxy for the headers of answers is not known';
    return [...(await tooLarge(requests, askFromOutside(server))), skipped(unknown, withoutEcho)];
  },
};

/** @returns what came in place of an answer of the server, if anything did */
type Ask = (request: EchoRequest) => Promise<string | undefined>;

/** The server answers a request without known parameters by an error of its own. */
function askFromOutside({ baseUrl, metadata, send }: Reached): Ask {
  const endpoint = String(metadata.authorization_endpoint);
  if (!isWithin(baseUrl, endpoint)) return async () => undefined;
  return async ({ headers = {}, query = 0 }) => {
    const reply = await send(query === 0 ? endpoint : `${endpoint}?${'x'.repeat(query)}`, { headers });
    return isOwnError(reply) ? undefined : shownReply(reply);
  };
}

async function tooLarge(tried: readonly Size[], ask: Ask): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { what, request, isRare = false } of tried) {
    const problem = await problemOf(() => ask(request));
    if (problem === undefined) continue;
    const make = isRare ? warning : broken;
    findings.push(make(`${what} does not pass: ${problem}`, { expected: 'an answer of the server', advice }));
  }
  return findings;
}

async function problemOf(ask: () => Promise<string | undefined>): Promise<string | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof EchoError || error instanceof OutboundError) return error.message;
    throw error;
  }
}
