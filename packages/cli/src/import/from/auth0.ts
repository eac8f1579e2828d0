import { importedHash } from '@watchword/administration';
import { type JsonObject, shellCommand } from '@watchword/protocol';
import { UsageError } from '../../command/usage-error.ts';
import { objectOf, objectsOf, textOf, textsOf, withoutEmpty } from './json-values.ts';
import { redirectUrisOf } from './redirect-uris.ts';
import { leftOut, type Note, NoteTaker, type Translation } from './translation.ts';

const home = 'auth0';
const contactName = 'Operator';

/**
 * Clients of an Auth0 tenant, or its users: a list, a page of the Management API v2 (an object with `clients` or `users`), one of them alone as Deploy CLI 8
 * with AUTH0_EXPORT_IDENTIFIERS writes a client, or one on each line as the job `users-exports` does. Support exports lines with `passwordHash`, in the form
 * that it describes in "How to Use the Password Hashes Export" with `alt_id` and `identifiers`.
 *
 * @throws UsageError if it is neither
 */
export function fromAuth0(file: string, given: unknown): Translation {
  const { clients, users } = objectOf(given);
  const list = objectsOf(Array.isArray(given) ? given : (clients ?? users ?? [given]));
  const kind = kindOf(list);
  if (kind === undefined)
    throw new UsageError(
      `${file}: expected clients with client_id ("auth0 apps list --number 1000 --json --reveal-secrets"), or users with user_id (of the job users-exports) or _id (of the support)`,
    );
  const translation = kind === 'clients' ? ofClients(list) : ofUsers(list);
  const page = 'The file is one page of the list: export the others too.';
  return isPage(given, list.length) ? { ...translation, mustDo: [...translation.mustDo, page] } : translation;
}

function kindOf(list: readonly JsonObject[]): 'clients' | 'users' | undefined {
  if (list.length === 0) return undefined;
  if (list.every(({ client_id: id }) => typeof id === 'string')) return 'clients';
  // Without an id, nothing says whether a user has a password or comes from another identity provider.
  return list.every((user) => idOf(user) !== '') ? 'users' : undefined;
}

/** Pages by number have the total, those by checkpoint the next one. */
function isPage(given: unknown, length: number): boolean {
  const { total, next } = objectOf(given);
  return Number(total) > length || textOf(next) !== '';
}

function ofClients(clients: readonly JsonObject[]): Translation {
  const moved = clients.map(clientOf);
  const note = new NoteTaker();
  const rotation = shellCommand('watchword resource-server rotate-secret {name}', { name: home });
  note.mustDo.push('give it the scopes of your APIs, or register a resource server for each of them');
  note.mustDo.push(
    'set expireDuration of its clients, if your APIs have another token_lifetime than 24 hours',
  );
  note.mustDo.push(`APIs that ask token info or introspection need a secret: "${rotation}" makes one`);
  const documents = moved.flatMap(({ document }) => (document === undefined ? [] : [document]));
  return {
    resourceServers: [
      { key: home, name: 'Auth0', contactName, accessTokenFormat: 'jwt', clients: documents },
    ],
    accounts: [],
    tokens: [],
    notes: [note.of('resourceServer', home, home), ...moved.map((each) => each.note)],
    mustDo: ['Import the users of the tenant from a file of their own.'],
  };
}

const grants = ['authorization_code', 'implicit', 'client_credentials', 'refresh_token'];

function clientOf(given: JsonObject): { readonly note: Note; readonly document: JsonObject | undefined } {
  const id = textOf(given.client_id);
  if (given.global === true)
    return { note: leftOut('client', id, 'it is that of the tenant itself'), document: undefined };
  const note = new NoteTaker();
  const types = textsOf(given.grant_types);
  for (const type of types.filter((each) => !grants.includes(each))) note.leftOut.push(`the grant ${type}`);
  const isPublic = isPublicClient(given);
  const redirectUris = redirectUrisOf(textsOf(given.callbacks), '', note);
  if (isPublic) note.mustDo.push('let the application use PKCE with S256, which a public client needs here');
  const document = {
    clientId: id,
    secret: isPublic ? undefined : secretOf(given, note),
    clientName: textOf(given.name) || id,
    description: textOf(given.description),
    contactName,
    thumbNailUrl: textOf(given.logo_uri),
    confidential: !isPublic,
    openidScopes: redirectUris.length > 0 ? ['profile', 'email'] : [],
    redirectUris,
    postLogoutRedirectUris: redirectUrisOf(textsOf(given.allowed_logout_urls), '', note),
    backchannelLogoutUri: textsOf(objectOf(given.oidc_logout).backchannel_logout_urls)[0],
    allowedClientCredentials: types.includes('client_credentials') && !isPublic,
    allowedImplicitGrant: types.includes('implicit') && isPublic,
    useRefreshTokens: types.includes('refresh_token') && redirectUris.length > 0,
    skipConsent: given.is_first_party === true,
    expireDuration: usualTokenLifetime,
  };
  return { note: note.of('client', id, id), document: withoutEmpty(document) };
}

// Seconds. APIs of Auth0 have the lifetime of access tokens (jwt_configuration of a client has that of ID tokens), with this default.
const usualTokenLifetime = 86_400;

/** The method decides; a client without one has that of its type. */
function isPublicClient({ app_type: type, token_endpoint_auth_method: method }: JsonObject): boolean {
  return textOf(method) === '' ? ['spa', 'native'].includes(textOf(type)) : method === 'none';
}

function secretOf(given: JsonObject, note: NoteTaker): string | undefined {
  const [method] = Object.keys(objectOf(given.client_authentication_methods));
  const secret = textOf(given.client_secret);
  if (method === undefined && secret !== '') return secret;
  const rotation = shellCommand('watchword client rotate-secret {name}', { name: textOf(given.client_id) });
  note.leftOut.push(
    method === undefined
      ? 'its secret, which the file does not have: --reveal-secrets writes it'
      : `authentication by ${method}`,
  );
  note.mustDo.push(`get another secret with "${rotation}"`);
  return undefined;
}

function ofUsers(users: readonly JsonObject[]): Translation {
  const moved = users.map(userOf);
  return {
    resourceServers: [],
    accounts: moved.flatMap(({ account }) => (account === undefined ? [] : [account])),
    tokens: [],
    notes: moved.map(({ note }) => note),
    mustDo: [
      'Each user has another sub here: applications that know users by it need the mapping file.',
      'Users log in by the address or username that the file has, and capitals count.',
    ],
  };
}

/** With the prefix of the identity provider, as applications know it as sub. Exports of the support have it without. */
function idOf(given: JsonObject): string {
  const own = textOf(given.alt_id) || textOf(objectOf(given._id).$oid);
  return textOf(given.user_id) || (own === '' ? '' : `auth0|${own}`);
}

/** An identifier of a user, which exports of the support can have in a list alone. */
function identifierOf(given: JsonObject, type: 'email' | 'username' | 'phone_number'): JsonObject {
  const value = textOf(given[type]);
  // That another address is verified says nothing of this one.
  const listed = objectsOf(given.identifiers).find(
    (each) => each.type === type && (value === '' || each.value === value),
  );
  return value === '' ? objectOf(listed) : { value, verified: given[`${type}_verified`] ?? listed?.verified };
}

function userOf(given: JsonObject): { readonly note: Note; readonly account: JsonObject | undefined } {
  const id = idOf(given);
  const { value, verified } = identifierOf(given, 'email');
  const email = textOf(value);
  const username = textOf(identifierOf(given, 'username').value) || email;
  if (!id.startsWith('auth0|'))
    return {
      note: leftOut(
        'account',
        id,
        `the user logs in at ${id.split('|')[0]}, and comes with the first login there`,
      ),
      account: undefined,
    };
  if (username === '')
    return { note: leftOut('account', id, 'it has neither a username nor an address'), account: undefined };
  const note = new NoteTaker();
  for (const name of ['user_metadata', 'app_metadata', 'multifactor']) {
    if (given[name] !== undefined) note.leftOut.push(name === 'multifactor' ? 'its second factors' : name);
  }
  const account = withoutEmpty({
    username,
    displayName: textOf(given.name),
    email,
    emailVerified: verified === true && email !== '',
    givenName: textOf(given.given_name),
    familyName: textOf(given.family_name),
    nickname: textOf(given.nickname),
    picture: textOf(given.picture),
    phoneNumber: textOf(identifierOf(given, 'phone_number').value),
    disabled: given.blocked === true,
    passwordHash: hashOf(given, note),
  });
  return { note: note.of('account', id, username), account };
}

function hashOf({ passwordHash }: JsonObject, note: NoteTaker): unknown {
  const read = passwordHash === undefined ? undefined : importedHash(passwordHash);
  if (read !== undefined && !('problem' in read)) return passwordHash;
  note.leftOut.push(
    read === undefined ? 'its password, which the file does not have' : `its password: ${read.problem}`,
  );
  note.mustDo.push('let the user set a password: by mail, or with a reset link');
  return undefined;
}
