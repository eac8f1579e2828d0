import type { ClientRecord } from '@watchword/administration';
import type { Reached } from '../patient.ts';
import type { Form, Reply, Sending } from '../send.ts';

/** Requests of the client to the server, with its authentication. */
export interface ClientRequests {
  /** @param endpoint a member of the metadata */
  post(endpoint: string, form: Form): Promise<Reply>;
  readonly isConfidential: boolean;
}

/** @param secret `undefined` for a public client */
export function clientRequests(
  { clientId, confidential }: ClientRecord,
  secret: string | undefined,
  { metadata, send }: Reached,
): ClientRequests {
  return {
    isConfidential: confidential,
    post: (endpoint, form) => {
      const sending: Sending = confidential
        ? { form, headers: { authorization: basic(clientId, secret ?? '') } }
        : { form: { client_id: clientId, ...form } };
      return send(String(metadata[endpoint]), sending);
    },
  };
}

/** Both parts are encoded as in a form (RFC 6749 §2.3.1). */
export function basic(name: string, secret: string): string {
  const encoded = (text: string) => new URLSearchParams([['', text]]).toString().slice(1);
  return `Basic ${Buffer.from(`${encoded(name)}:${encoded(secret)}`).toString('base64')}`;
}
