import { type Form, jsonOf, type Reply } from '../send.ts';
import { credentialsOf } from './credentials.ts';
import { dpopSender } from './dpop.ts';
import type { Flow, NamedFindings } from './flow.ts';

/** Requests of the client to the server, with its authentication. */
export interface ClientRequests {
  /** @param endpoint a member of the metadata */
  post(endpoint: string, form: Form): Promise<Reply>;
  /** Presents an access token of the client at an endpoint. */
  present(endpoint: string, accessToken: string): Promise<Reply>;
  readonly isConfidential: boolean;
}

/**
 * Sends proofs of a key where the server demands them. Without what the client needs to authenticate there is a finding, and `undefined`.
 *
 * @param step that needs the requests
 */
export async function* clientRequests(flow: Flow, step: string): NamedFindings<ClientRequests | undefined> {
  const credentials = yield* credentialsOf(flow, step);
  if (credentials === undefined) return undefined;
  const { client, server } = flow;
  const { metadata, send, clock } = server;
  const proven = dpopSender(clock);
  let isBound = client.dpopBoundAccessTokens;
  return {
    isConfidential: client.confidential,
    async post(endpoint, form) {
      const url = String(metadata[endpoint]);
      const ask = async (proof = {}) => {
        const { form: own, headers = {} } = await credentials();
        return send(url, { headers: { ...headers, ...proof }, form: { ...own, ...form } });
      };
      if (endpoint !== 'token_endpoint') return ask();
      const reply = isBound ? undefined : await ask();
      if (reply !== undefined && jsonOf(reply).error !== 'invalid_dpop_proof') return reply;
      // A profile can demand proofs of every client.
      isBound = true;
      return proven({ method: 'POST', url, send: ask });
    },
    present(endpoint, accessToken) {
      const url = String(metadata[endpoint]);
      const ask = (scheme: string, proof = {}) =>
        send(url, { headers: { authorization: `${scheme} ${accessToken}`, ...proof } });
      if (!isBound) return ask('Bearer');
      return proven({ method: 'GET', url, accessToken, send: (proof) => ask('DPoP', proof) });
    },
  };
}
