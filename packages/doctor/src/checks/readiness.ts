import { OutboundError } from '@watchword/outbound';
import { isLoopbackHost } from '@watchword/protocol';
import { broken, type Finding, ok, skipped, warning } from '../finding.ts';
import type { Check, Reached } from '../patient.ts';
import { isOwnError, jsonOf, shownReply } from '../send.ts';

/** Whether the server can write, and whether its internal addresses are closed to the public. */
export const readiness: Check = {
  name: 'readiness',
  async run(server: Reached): Promise<readonly Finding[]> {
    return [await readyFinding(server), ...(await exposed(server))];
  },
};

async function readyFinding({ baseUrl, localUrl, send }: Reached): Promise<Finding> {
  const url = `${localUrl ?? baseUrl}/readyz`;
  try {
    const reply = await send(url);
    if (reply.status === 200 && jsonOf(reply).status === 'ready')
      return ok('the server can answer and write');
    if (reply.status === 503 && isOwnError(reply)) {
      return broken(`${url} answers with ${shownReply(reply)}`, {
        expected: 'status 200: the server can answer and write',
        advice: 'the log of the server has the reason; "watchword check" examines the database',
      });
    }
    return skipped(`${url} answers with ${shownReply(reply)}, so whether the server can write is not known`);
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    return skipped(
      `${error.message}, so whether the server can write is not known`,
      'name its --host and --port',
    );
  }
}

async function exposed({ baseUrl, send }: Reached): Promise<readonly Finding[]> {
  if (isLoopbackHost(new URL(baseUrl).hostname)) return [];
  const { status } = await send(`${baseUrl}/metrics`);
  if (status !== 200) return [];
  return [
    warning(`every caller can read ${baseUrl}/metrics`, {
      expected: 'no metrics at the public address',
      advice: 'close /metrics in the proxy, or set metrics.port or metrics.token',
    }),
  ];
}
