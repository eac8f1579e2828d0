import { createLocalJWKSet, errors, type JSONWebKeySet, jwtVerify } from 'jose';
import { broken, type Finding, ok } from '../finding.ts';
import { jsonOf, shownReply } from '../send.ts';
import type { Flow } from './flow.ts';

/** Whether a client library accepts the ID token (OpenID Connect Core §3.1.3.7). */
export async function idTokenFindings(
  idToken: string,
  nonce: string | undefined,
  { client, server: { metadata, send, clock } }: Flow,
): Promise<readonly Finding[]> {
  const keys = jsonOf(await send(String(metadata.jwks_uri)));
  const cure = {
    expected: 'an ID token that a client library accepts',
    advice:
      'check that the JWKS at the base URL is that of this server and no cache stores an old one, and that the clocks agree',
  };
  try {
    const { payload } = await jwtVerify(idToken, createLocalJWKSet(keys as unknown as JSONWebKeySet), {
      issuer: String(metadata.issuer),
      audience: client.clientId,
      currentDate: new Date(clock.now()),
    });
    if (payload.nonce !== nonce) return [broken('the ID token has another nonce than the request', cure)];
    return [ok('the ID token has a valid signature, issuer, audience, time and nonce')];
  } catch (error) {
    if (!(error instanceof errors.JOSEError || error instanceof TypeError)) throw error;
    return [broken(`the ID token is not accepted: ${error.message}`, cure)];
  }
}

/** Whether the client gets the claims of the user. */
export async function userinfoFindings(accessToken: string, { server }: Flow): Promise<readonly Finding[]> {
  const url = String(server.metadata.userinfo_endpoint);
  const reply = await server.send(url, { headers: { authorization: `Bearer ${accessToken}` } });
  if (reply.status === 200) return [ok('the client gets the claims of the user')];
  return [
    broken(`userinfo answers with ${shownReply(reply)}`, {
      expected: 'status 200 and the claims of the user',
      advice: 'let the proxy pass the header Authorization on unchanged',
    }),
  ];
}
