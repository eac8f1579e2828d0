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
  { clientId, confidential, tokenEndpointAuthMethod }: ClientRecord,
  secret: string | undefined,
  { metadata, send }: Reached,
): ClientRequests {
  const sending = (form: Form): Sending => {
    if (!confidential) return { form: { client_id: clientId, ...form } };
    return tokenEndpointAuthMethod === 'client_secret_post'
      ? { form: { client_id: clientId, client_secret: secret ?? '', ...form } }
      : { form, headers: { authorization: basic(clientId, secret ?? '') } };
  };
  return {
    isConfidential: confidential,
    post: (endpoint, form) => send(String(metadata[endpoint]), sending(form)),
  };
}

/** Both parts are encoded as in a form (RFC 6749 §2.3.1). */
export function basic(name: string, secret: string): string {
  const encoded = (text: string) => new URLSearchParams([['', text]]).toString().slice(1);
  return `Basic ${Buffer.from(`${encoded(name)}:${encoded(secret)}`).toString('base64')}`;
}
