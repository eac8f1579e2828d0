import { usesSecret } from '@watchword/protocol';
import { skipped } from '../finding.ts';
import type { Form, Sending } from '../send.ts';
import { type SignAssertion, signedAssertions } from './client-key.ts';
import { type Flow, type NamedFindings, named } from './flow.ts';
import { missing } from './missing.ts';

/** What a client adds to a request so that the server knows it, made anew for each. */
export type Credentials = () => Promise<Pick<Sending, 'headers'> & { readonly form?: Form }>;

/** How the client authenticates. Without what it needs there is a finding of the step, and `undefined`. */
export async function* credentialsOf(flow: Flow, step: string): NamedFindings<Credentials | undefined> {
  const { client, secrets } = flow;
  const { clientId: client_id, tokenEndpointAuthMethod: method } = client;
  if (!client.confidential) return async () => ({ form: { client_id } });
  if (!usesSecret(client)) {
    const sign = yield* method === 'private_key_jwt' ? signedAssertions(flow) : assertions(flow, step);
    return sign && (async () => ({ form: { client_id, ...assertionForm(await sign()) } }));
  }
  const secret = await secrets.find('client', client_id);
  if (secret === undefined) yield* named(step, [missing('client', client_id)]);
  else if (method === 'client_secret_post')
    return async () => ({ form: { client_id, client_secret: secret } });
  else return async () => ({ headers: { authorization: basic(client_id, secret) } });
  return undefined;
}

/** The one that an issuer has signed for the client, which is presented until it expires. */
async function* assertions(
  { client, clientAssertion }: Flow,
  step: string,
): NamedFindings<SignAssertion | undefined> {
  if (clientAssertion !== undefined) return async () => clientAssertion;
  const advice = 'name the file with a token of its issuer by --client-assertion';
  yield* named(step, [skipped(`the assertion of ${client.clientId} is not known`, advice)]);
  return undefined;
}

function assertionForm(client_assertion: string) {
  return {
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion,
  };
}

/** Both parts are encoded as in a form (RFC 6749 §2.3.1). */
export function basic(name: string, secret: string): string {
  const encoded = (text: string) => new URLSearchParams([['', text]]).toString().slice(1);
  return `Basic ${Buffer.from(`${encoded(name)}:${encoded(secret)}`).toString('base64')}`;
}
