import { randomUUID } from 'node:crypto';
import { type EchoedRequest, echoPath, sealEchoTicket } from '@watchword/server/features/echo';
import type { Echo, Patient } from './patient.ts';
import { jsonOf, type Reply, shownReply } from './send.ts';

/** The server, or what is in front of it, did not answer with an echo. */
export class EchoError extends Error {
  override readonly name = 'EchoError';
  readonly reply: Reply;

  constructor(reply: Reply) {
    super(shownReply(reply));
    this.reply = reply;
  }
}

/** Asks the server how requests arrive. `undefined` without its database. */
export function echoOf({ baseUrl, clock, sealer, send }: Patient): Echo | undefined {
  if (sealer === undefined) return undefined;
  return async ({ headers = {}, query = 0, padding } = {}) => {
    const nonce = randomUUID();
    const ticket = sealEchoTicket(sealer, {
      nonce,
      time: clock.now(),
      ...(padding !== undefined && { padding }),
    });
    const url = `${baseUrl}${echoPath}${query === 0 ? '' : `?${'x'.repeat(query)}`}`;
    const reply = await send(url, { headers, form: { ticket } });
    const body = jsonOf(reply);
    if (reply.status === 200 && body.nonce === nonce) return body as unknown as EchoedRequest;
    throw new EchoError(reply);
  };
}
