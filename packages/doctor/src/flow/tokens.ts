import { shellCommand, usesSecret } from '@watchword/protocol';
import { createLocalJWKSet, errors, type JSONWebKeySet, jwtVerify } from 'jose';
import { broken, type Finding, ok, skipped } from '../finding.ts';
import { type Form, jsonOf, type Reply, shownReply } from '../send.ts';
import type { ClientRequests } from './client-requests.ts';
import { type Flow, named, type Steps } from './flow.ts';
import { errorsAdvice } from './registration.ts';
import { shownScope, type TokenQuestion, tokenQuestionOf } from './token-question.ts';

/** Where the tokens come from: a token request, or the answer of the implicit grant. */
export interface TokenSource {
  readonly form?: Form;
  readonly nonce?: string | undefined;
  readonly accessToken?: string;
}

interface Tokens {
  readonly access: string;
  readonly refresh: string | undefined;
  readonly id: string | undefined;
}

/** Gets tokens, asks what they permit, and revokes them, also after a break in between. */
export async function* tokenSteps(source: TokenSource, requests: ClientRequests, flow: Flow): Steps {
  const target = flow.resource !== undefined && { resource: flow.resource };
  let tokens: Tokens;
  if (source.form === undefined)
    tokens = { access: source.accessToken ?? '', refresh: undefined, id: undefined };
  else {
    const reply = await requests.post('token_endpoint', { ...source.form, ...target });
    yield* named('token', [tokenFinding(reply, flow)]);
    tokens = tokensOf(reply);
  }
  try {
    if (tokens.id !== undefined)
      yield* named('id-token', await idTokenFindings(tokens.id, source.nonce, flow));
    const question = await tokenQuestionOf(requests, flow);
    if (question === undefined) yield* named('token-info', [noQuestion(flow)]);
    else yield* named('token-info', [await question.finding(tokens.access)]);
    if (question?.apiFindings !== undefined) yield* named('api', await question.apiFindings());
    if (tokens.id !== undefined) yield* named('userinfo', await userinfoFindings(tokens.access, requests));
    if (tokens.refresh !== undefined) {
      const reply = await requests.post('token_endpoint', {
        grant_type: 'refresh_token',
        refresh_token: tokens.refresh,
        ...target,
      });
      yield* named('refresh', [tokenFinding(reply, flow)]);
      tokens = tokensOf(reply);
    }
    const revoked = await revoke(tokens, requests);
    yield* named('revocation', [await revocationFinding(revoked, question, tokens)]);
  } finally {
    // Harmless for tokens that are revoked already (RFC 7009 §2.2).
    await revoke(tokens, requests).catch(() => {});
  }
}

/** Revoking the refresh token ends its whole grant. */
function revoke({ access, refresh }: Tokens, requests: ClientRequests): Promise<Reply> {
  return requests.post('revocation_endpoint', { token: refresh ?? access });
}

function tokensOf(reply: Reply): Tokens {
  const { access_token: access, refresh_token: refresh, id_token: id } = jsonOf(reply);
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined);
  return { access: text(access) ?? '', refresh: text(refresh), id: text(id) };
}

function tokenFinding(reply: Reply, flow: Flow): Finding {
  const { access_token: token, token_type: type, scope, error } = jsonOf(reply);
  const isStored = !String(reply.headers['cache-control']).includes('no-store');
  if (reply.status !== 200 || typeof token !== 'string') {
    return broken(`the token request is answered with ${shownReply(reply)}`, {
      expected: 'status 200 and an access token',
      advice: adviceFor(String(error), flow),
    });
  }
  if (isStored) {
    return broken('the answer with the tokens has no Cache-Control: no-store', {
      expected: 'Cache-Control: no-store, as the server sends it (RFC 6749 section 5.1)',
      advice: 'let the proxy pass Cache-Control on unchanged',
    });
  }
  const granted = typeof scope !== 'string' ? 'with the scope of the request' : `with ${shownScope(scope)}`;
  return ok(`the client gets a token of the type ${type}, ${granted}`);
}

function adviceFor(error: string, flow: Flow): string {
  const client = flow.client.clientId;
  const command = (template: string) => shellCommand(template, { client });
  switch (error) {
    case 'invalid_client':
      if (!usesSecret(flow.client)) return errorsAdvice(flow);
      return `the secret is wrong: "${command('watchword client add-secret {client}')}" makes one more`;
    case 'unauthorized_client':
      return 'allow the grant: "watchword client update --help" shows the options';
    case 'invalid_scope':
      return command('watchword client update {client} --scope SCOPE');
    default:
      return errorsAdvice(flow);
  }
}

async function revocationFinding(
  reply: Reply,
  question: TokenQuestion | undefined,
  { access }: Tokens,
): Promise<Finding> {
  const cure = {
    expected: 'status 200, and a token that is no longer valid (RFC 7009)',
    advice: 'look at the log of the server for this request; revoke the token by "watchword token revoke -"',
  };
  if (reply.status !== 200) return broken(`the revocation is answered with ${shownReply(reply)}`, cure);
  if (question === undefined) return ok('the token is revoked');
  if (await question.isActive(access)) return broken('the token is still valid after its revocation', cure);
  return ok('the token is revoked, and no longer valid');
}

function noQuestion({ resourceServer = 'the resource server' }: Flow): Finding {
  return skipped(
    'nobody can ask about the token: a public client has no secret for it',
    `set WATCHWORD_DOCTOR_RESOURCE_SERVER_SECRET, the secret of ${resourceServer}`,
  );
}

/** Whether a client library accepts the ID token (OpenID Connect Core §3.1.3.7). */
async function idTokenFindings(
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
async function userinfoFindings(accessToken: string, requests: ClientRequests): Promise<readonly Finding[]> {
  const reply = await requests.present('userinfo_endpoint', accessToken);
  if (reply.status === 200) return [ok('the client gets the claims of the user')];
  return [
    broken(`userinfo answers with ${shownReply(reply)}`, {
      expected: 'status 200 and the claims of the user',
      advice: 'let the proxy pass the header Authorization on unchanged',
    }),
  ];
}
