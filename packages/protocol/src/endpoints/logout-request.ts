import { type AuthorizationParameters, firstValue, isRepeated } from '../authorize/parameters.ts';
import { readUiLocales } from '../authorize/request/hints.ts';
import { OAuthError, type OAuthErrorDetails } from '../model/errors/errors.ts';
import { because } from '../model/errors/rules/error-rules.ts';
import type { Client } from '../model/records/client.ts';
import { type IdTokenHint, type IdTokenHintDependencies, readIdTokenHint } from '../openid/id-token-hint.ts';
import { isPostLogoutRedirectUri, type LogoutReturn, type PendingLogout } from '../openid/logout-return.ts';
import type { Registry } from '../ports/stores/registry.ts';
import { firstRepeated } from '../rules/parameters.ts';

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
  if (repeated !== undefined) throw invalid(because('parameter_once', { name: repeated }));
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
  throw invalid(because('id_token_hint', { isLogout: true }));
}

async function askingClient(
  clientId: string | undefined,
  hint: IdTokenHint | undefined,
  { registry }: LogoutRequestDependencies,
): Promise<Client | undefined> {
  if (clientId !== undefined && hint !== undefined && hint.clientId !== clientId) {
    throw invalid(because('logout_client', { clients: 2 }));
  }
  const wanted = clientId ?? hint?.clientId;
  if (wanted === undefined) return undefined;
  const client = await current(() => registry.clientByClientId(wanted), registry);
  if (client !== undefined) return client;
  throw invalid(because('registered_client', { clientId }));
}

async function returnOf(
  client: Client | undefined,
  redirectUri: string,
  state: string | undefined,
  { registry }: LogoutRequestDependencies,
): Promise<LogoutReturn> {
  if (client === undefined) throw invalid(because('logout_client', { clients: 0 }));
  if (state !== undefined && Buffer.byteLength(state) > maxStateOctets) {
    throw invalid(because('request_size', { name: 'state', most: maxStateOctets }));
  }
  const { id: clientRecordId } = client;
  const isRegistered = () => {
    const now = registry.clientById(clientRecordId);
    return now !== undefined && isPostLogoutRedirectUri(now, redirectUri) ? true : undefined;
  };
  if ((await current(isRegistered, registry)) === true) {
    return { clientRecordId, redirectUri, ...(state !== undefined && { state }) };
  }
  const { postLogoutRedirectUris: registered } = client;
  throw invalid(because('logout_redirect_uri', { named: redirectUri, registered }));
}

/** What is found, if need be after the changes of other nodes have been read. */
async function current<Found>(find: () => Found | undefined, registry: Registry): Promise<Found | undefined> {
  const found = find();
  if (found !== undefined) return found;
  await registry.refresh();
  return find();
}

function invalid(why: OAuthErrorDetails): OAuthError {
  return new OAuthError('invalid_request', { ...why, text: { key: 'error.logout' } });
}
