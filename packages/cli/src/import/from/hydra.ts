import { isObject, type JsonObject, shellCommand, shown } from '@watchword/protocol';
import { UsageError } from '../../command/usage-error.ts';
import { type ForeignKeys, keyFieldsOf } from './client-keys.ts';
import { objectOf, objectsOf, textOf, textsOf, withoutEmpty } from './json-values.ts';
import { canBeHybrid, redirectUrisOf } from './redirect-uris.ts';
import { leftOut, type Note, NoteTaker, type Translation } from './translation.ts';

const key = 'hydra';
const contactName = 'Operator';

/**
 * Clients of Ory Hydra, which has no users, in the form that its releases 1.11 to 26.2 have (client/client.go). It keeps secrets as hashes,
 * so that its list has none: only what was written down when a client was created can be added to the file, as `client_secret`.
 *
 * @throws UsageError if it is no list of clients
 */
export function fromHydra(file: string, given: unknown): Translation {
  const clients = clientsOf(file, given);
  const moved = clients.map(clientOf);
  const scopes = new Set(clients.flatMap((client) => scopesOf(client).filter((scope) => !isOpenid(scope))));
  const note = new NoteTaker();
  const rotation = shellCommand('watchword resource-server rotate-secret {name}', { name: key });
  note.mustDo.push(`introspection needs a caller here: "${rotation}" makes a secret for the key "${key}"`);
  const home = { key, name: 'Hydra', contactName, scopes: [...scopes] };
  const documents = moved.flatMap(({ document }) => (document === undefined ? [] : [document]));
  return {
    resourceServers: [{ ...home, clients: documents }],
    accounts: [],
    tokens: [],
    notes: [note.of('resourceServer', key, key), ...moved.map((each) => each.note)],
    mustDo: [
      'Tokens of Hydra are not valid here, but while a bridge asks it (docs/guides/migration.md).',
      ...(isCut(given) ? ['The file is one page of the list: export the others too.'] : []),
    ],
  };
}

/** `hydra list oauth2-clients --format json` writes `items`, `hydra get oauth2-client` a client alone; the administration API writes the list itself. */
function clientsOf(file: string, given: unknown): JsonObject[] {
  const list = isObject(given) ? (given.items ?? [given]) : given;
  const clients = objectsOf(list);
  if (Array.isArray(list) && clients.every(({ client_id: id }) => typeof id === 'string')) return clients;
  throw new UsageError(
    `${file}: expected the clients of Hydra, a list with client_id each; "hydra list oauth2-clients --page-size 500 --format json" writes it`,
  );
}

function isCut(given: unknown): boolean {
  const { next_page_token: next, is_last_page: isLast } = objectOf(given);
  return isLast === false || (isLast === undefined && textOf(next) !== '');
}

function scopesOf({ scope }: JsonObject): string[] {
  return textOf(scope).split(' ').filter(Boolean);
}

const openidScopes = ['profile', 'email', 'address', 'phone'];

function isOpenid(scope: string): boolean {
  return [...openidScopes, 'openid', 'offline', 'offline_access'].includes(scope);
}

const grants = ['authorization_code', 'implicit', 'client_credentials', 'refresh_token'];

function clientOf(given: JsonObject): { readonly note: Note; readonly document: JsonObject | undefined } {
  const id = textOf(given.client_id);
  const types = textsOf(given.grant_types);
  const others = types.filter((type) => !grants.includes(type));
  if (types.length > 0 && others.length === types.length)
    return { note: leftOut('client', id, `it uses ${others.join(', ')} alone`), document: undefined };
  const note = new NoteTaker();
  for (const type of others) note.leftOut.push(`the grant ${type}`);
  const isPublic = given.token_endpoint_auth_method === 'none';
  const redirectUris = redirectUrisOf(textsOf(given.redirect_uris), '', note);
  const isHybrid = textsOf(given.response_types).some((type) => /^code .|. code\b/.test(type)) && !isPublic;
  if (types.includes('implicit') && !isPublic && !isHybrid)
    note.leftOut.push('the implicit grant of a confidential client');
  if (isPublic) note.mustDo.push('let the application use PKCE with S256, which a public client needs here');
  const audience = textsOf(given.audience);
  if (audience.length > 0) note.leftOut.push(`the audience ${shown(audience.join(' '), 200)}`);
  if (given.access_token_strategy === 'jwt')
    note.mustDo.push(`set accessTokenFormat of "${key}" to jwt: its access tokens were JWTs`);
  const scopes = scopesOf(given);
  const document = {
    clientId: id,
    clientName: textOf(given.client_name) || id,
    contactName,
    thumbNailUrl: textOf(given.logo_uri),
    confidential: !isPublic,
    ...(!isPublic && credentialsOf(given, note)),
    scopes: scopes.filter((scope) => !isOpenid(scope)),
    openidScopes: redirectUris.length > 0 ? openidScopes.filter((scope) => scopes.includes(scope)) : [],
    redirectUris,
    postLogoutRedirectUris: redirectUrisOf(textsOf(given.post_logout_redirect_uris), '', note),
    backchannelLogoutUri: textOf(given.backchannel_logout_uri),
    frontchannelLogoutUri: textOf(given.frontchannel_logout_uri),
    allowedClientCredentials: types.includes('client_credentials') && !isPublic,
    allowedImplicitGrant: types.includes('implicit') && isPublic,
    allowedHybrid: isHybrid && canBeHybrid(redirectUris, note),
    useRefreshTokens: types.includes('refresh_token') && redirectUris.length > 0,
    skipConsent: given.skip_consent === true,
    expireDuration: lifespanOf(given),
  };
  return { note: note.of('client', id, id), document: withoutEmpty(document) };
}

// PBKDF2 and bcrypt, as the table hydra_client has them.
const hash = /^\$(?:pbkdf2-sha\d+|2[aby])\$/;

/** Its secret or its keys, if it can use them here. */
function credentialsOf(given: JsonObject, note: NoteTaker): JsonObject {
  const rotation = shellCommand('watchword client rotate-secret {name}', { name: textOf(given.client_id) });
  const method = textOf(given.token_endpoint_auth_method);
  const secret = textOf(given.client_secret);
  const keys = method === 'private_key_jwt' ? keyFieldsOf(keysOf(given), note) : undefined;
  if (keys !== undefined) return keys;
  if (/jwt|tls/.test(method)) note.leftOut.push(`authentication by ${method}`);
  else if (hash.test(secret)) note.leftOut.push('its secret: the file has the hash of the database');
  else if (secret !== '') return { secret };
  else note.leftOut.push('its secret, of which Hydra has a hash alone');
  note.mustDo.push(
    `add "client_secret" to the file if you know it, or get another secret with "${rotation}"`,
  );
  return {};
}

function keysOf({
  jwks,
  jwks_uri: uri,
  token_endpoint_auth_signing_alg: algorithm,
}: JsonObject): ForeignKeys {
  // Of a client without keys the list has an empty object.
  const hasKeys = isObject(jwks) && Object.hasOwn(jwks, 'keys');
  return { jwks: hasKeys ? jwks : undefined, jwksUri: textOf(uri), algorithm: textOf(algorithm) };
}

// A duration of Go: "1h30m0s".
const duration = /^(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)(?:\.\d+)?s)?$/;
const usualLifespan = 3600;

function lifespanOf(given: JsonObject): number {
  const text =
    textOf(given.authorization_code_grant_access_token_lifespan) ||
    textOf(given.client_credentials_grant_access_token_lifespan);
  const [, hours = 0, minutes = 0, seconds = 0] = duration.exec(text) ?? [];
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds) || usualLifespan;
}
