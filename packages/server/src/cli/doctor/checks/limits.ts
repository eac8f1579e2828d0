import { OutboundError } from '@watchword/outbound';
import { EchoError } from '../echo.ts';
import { broken, type Finding, ok, skipped, warning } from '../finding.ts';
import type { Check, EchoRequest, Reached } from '../patient.ts';
import { withoutEcho } from './identity.ts';

interface Size {
  readonly what: string;
  readonly request: EchoRequest;
  /** A request of this size is usual, so a failure breaks logins. */
  readonly isUsual: boolean;
}

const cookieOf = (length: number) => ({ cookie: `doctor=${'x'.repeat(length)}` });

/** What authorization requests, their cookies and answers can have (README, Running it). */
const sizes: readonly Size[] = [
  { what: 'a request with 6,000 characters in its URL', request: { query: 6000 }, isUsual: true },
  { what: 'a request with 6,000 characters of cookies', request: { headers: cookieOf(6000) }, isUsual: true },
  { what: 'a request with 34,000 characters in its URL', request: { query: 34_000 }, isUsual: false },
  {
    what: 'a request with 19,000 characters of cookies',
    request: { headers: cookieOf(19_000) },
    isUsual: false,
  },
  { what: 'an answer with 12,000 characters in its headers', request: { padding: 12_000 }, isUsual: false },
];

const advice =
  'raise the limits of the proxy (nginx: large_client_header_buffers 4 40k; proxy_buffer_size 32k; proxy_buffers 4 32k)';

/** Whether the largest requests and answers pass the proxy. */
export const limits: Check = {
  name: 'limits',
  async run({ echo }: Reached): Promise<readonly Finding[]> {
    if (echo === undefined) return [skipped('the limits of a proxy are not known', withoutEcho)];
    const findings: Finding[] = [];
    for (const { what, request, isUsual } of sizes) {
      const problem = await problemOf(() => echo(request));
      if (problem === undefined) continue;
      const make = isUsual ? broken : warning;
      findings.push(
        make(`${what} does not pass: ${problem}`, { expected: 'an answer of the server', advice }),
      );
    }
    return findings.length > 0 ? findings : [ok('the largest requests and answers pass')];
  },
};

async function problemOf(ask: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await ask();
    return undefined;
  } catch (error) {
    if (error instanceof EchoError || error instanceof OutboundError) return error.message;
    throw error;
  }
}
