import { type AuthorizationParameters, firstValue, isRepeated } from '../authorize/parameters.ts';
import { readUiLocales } from '../authorize/request/hints.ts';
import type { Client } from '../model/client.ts';
import type { ErrorRuleName } from '../model/error-rules/error-rules.ts';
import { OAuthError, type OAuthErrorDetails } from '../model/errors.ts';
import { withHidden } from '../model/hidden-characters.ts';
import { listed, quotedUrl } from '../model/quoted.ts';
import { type IdTokenHint, type IdTokenHintDependencies, readIdTokenHint } from '../openid/id-token-hint.ts';
import { isPostLogoutRedirectUri, type LogoutReturn, type PendingLogout } from '../openid/logout-return.ts';
import type { Registry } from '../ports/registry.ts';
import { firstRepeated, repeatedParameter } from '../rules/parameters.ts';

export interface LogoutRequestDependencies extends IdTokenHintDependencies {
  readonly registry: Registry;
}

/** A valid logout request (OpenID Connect RP-Initiated Logout §2). */
export interface LogoutRequest extends PendingLogout {
  readonly hint: IdTokenHint | undefined;
  /** The client that asks; `undefined` when the request names none. */
  readonly client: Client | undefined;
}

const maxStateOctets = 4096;

/**
 * `logout_hint` names the user to a server with several sessions in one browser. This server has one, and ignores it.
 *
 * @throws OAuthError `invalid_request`; then the browser must not be redirected to the client
 */
export async function readLogoutRequest(
  parameters: AuthorizationParameters,
  deps: LogoutRequestDependencies,
): Promise<LogoutRequest> {
  const repeated = firstRepeated(parameters);
  if (repeated !== undefined) throw invalid('parameter_once', repeatedParameter(repeated).message);
  const hint = await readHint(firstValue(parameters, 'id_token_hint'), deps);
  const client = await askingClient(firstValue(parameters, 'client_id'), hint, deps);
  const languages = readUiLocales(parameters);
  const redirectUri = firstValue(parameters, 'post_logout_redirect_uri');
  if (redirectUri === undefined) return { hint, client, languages };
  const state = firstValue(parameters, 'state');
  return { hint, client, languages, returnTo: await returnOf(client, redirectUri, state, deps) };
}

/** The client that a request names, also if the rest is invalid. */
export async function namedClient(
  parameters: AuthorizationParameters,
  deps: LogoutRequestDependencies,
): Promise<Client | undefined> {
  if (isRepeated(parameters, 'client_id') || isRepeated(parameters, 'id_token_hint')) return undefined;
  const clientId = firstValue(parameters, 'client_id') ?? (await hintedClientId(parameters, deps));
  return clientId === undefined ? undefined : deps.registry.clientByClientId(clientId);
}

async function hintedClientId(
  parameters: AuthorizationParameters,
  deps: LogoutRequestDependencies,
): Promise<string | undefined> {
  const text = firstValue(parameters, 'id_token_hint');
  return text === undefined ? undefined : (await readIdTokenHint(text, deps))?.clientId;
}

async function readHint(
  text: string | undefined,
  deps: LogoutRequestDependencies,
): Promise<IdTokenHint | undefined> {
  if (text === undefined) return undefined;
  const hint = await readIdTokenHint(text, deps);
  if (hint !== undefined) return hint;
  throw invalid(
    'id_token_hint',
    'The id_token_hint is not an ID token of this server. Send an ID token that the client got here.',
  );
}

async function askingClient(
  clientId: string | undefined,
  hint: IdTokenHint | undefined,
  { registry }: LogoutRequestDependencies,
): Promise<Client | undefined> {
  if (clientId !== undefined && hint !== undefined && hint.clientId !== clientId) {
    throw invalid('logout_client', 'The id_token_hint was issued to another client than client_id names.');
  }
  const wanted = clientId ?? hint?.clientId;
  if (wanted === undefined) return undefined;
  const client = await current(() => registry.clientByClientId(wanted), registry);
  if (client !== undefined) return client;
  throw invalid(
    'registered_client',
    clientId === undefined
      ? 'The client of the id_token_hint is no longer registered.'
      : 'No client is registered under this client_id.',
  );
}

async function returnOf(
  client: Client | undefined,
  redirectUri: string,
  state: string | undefined,
  { registry }: LogoutRequestDependencies,
): Promise<LogoutReturn> {
  if (client === undefined) {
    throw invalid(
      'logout_client',
      'The request has a post_logout_redirect_uri, but neither id_token_hint nor client_id.',
    );
  }
  if (state !== undefined && Buffer.byteLength(state) > maxStateOctets) {
    throw invalid('request_size', `The state has more than ${maxStateOctets} octets.`);
  }
  const { id: clientRecordId } = client;
  const isRegistered = () => {
    const now = registry.clientById(clientRecordId);
    return now !== undefined && isPostLogoutRedirectUri(now, redirectUri) ? true : undefined;
  };
  if ((await current(isRegistered, registry)) === true) {
    return { clientRecordId, redirectUri, ...(state !== undefined && { state }) };
  }
  throw invalid(
    'logout_redirect_uri',
    withHidden(
      'The post_logout_redirect_uri is not one that the client has registered; it is compared character by character.',
      redirectUri,
    ),
    { expected: listed(client.postLogoutRedirectUris), came: quotedUrl(redirectUri) },
  );
}

/** What is found, if need be after the changes of other nodes have been read. */
async function current<Found>(find: () => Found | undefined, registry: Registry): Promise<Found | undefined> {
  const found = find();
  if (found !== undefined) return found;
  await registry.refresh();
  return find();
}

function invalid(
  rule: ErrorRuleName,
  description: string,
  details: Pick<OAuthErrorDetails, 'expected' | 'came'> = {},
): OAuthError {
  return new OAuthError('invalid_request', { description, rule, ...details, text: { key: 'error.logout' } });
}
