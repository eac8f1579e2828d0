import { importedHash } from '@watchword/administration';
import { isObject, type JsonObject, shellCommand } from '@watchword/protocol';
import { UsageError } from '../../command/usage-error.ts';
import { objectOf, objectsOf, textOf, textsOf, withoutEmpty } from './json-values.ts';
import { redirectUrisOf } from './redirect-uris.ts';
import { leftOut, type Note, NoteTaker, type Translation } from './translation.ts';

const home = 'auth0';
const contactName = 'Operator';

/**
 * Clients of an Auth0 tenant (a list, or an object with `clients`), or its users: a list, or a user on each line as its exports have them. The export with
 * `passwordHash` comes from its support.
 *
 * @throws UsageError if it is neither
 */
export function fromAuth0(file: string, given: unknown): Translation {
  const list = Array.isArray(given) ? objectsOf(given) : objectsOf(objectOf(given).clients);
  if (list.length > 0 && list.every(({ client_id: id }) => typeof id === 'string')) return ofClients(list);
  if (list.length > 0 && list.every(isUser)) return ofUsers(list);
  throw new UsageError(
    `${file}: expected clients with client_id ("auth0 apps list --json --reveal-secrets"), or users with user_id or email`,
  );
}

function isUser({ email, user_id: id, _id }: JsonObject): boolean {
  return [email, id].some((each) => typeof each === 'string') || isObject(_id);
}

function ofClients(clients: readonly JsonObject[]): Translation {
  const moved = clients.map(clientOf);
  const note = new NoteTaker();
  const rotation = shellCommand('watchword resource-server rotate-secret {name}', { name: home });
  note.mustDo.push('give it the scopes of your APIs, or register a resource server for each of them');
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
  const isPublic =
    ['spa', 'native'].includes(textOf(given.app_type)) || given.token_endpoint_auth_method === 'none';
  const redirectUris = redirectUrisOf(textsOf(given.callbacks), '', note);
  if (isPublic) note.mustDo.push('let the application use PKCE with S256, which a public client needs here');
  const lifetime = Number(objectOf(given.jwt_configuration).lifetime_in_seconds);
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
    allowedClientCredentials: types.includes('client_credentials') && !isPublic,
    allowedImplicitGrant: types.includes('implicit') && isPublic,
    useRefreshTokens: types.includes('refresh_token') && redirectUris.length > 0,
    skipConsent: given.is_first_party === true,
    expireDuration: lifetime > 0 && lifetime <= longestJwt ? lifetime : longestJwt,
  };
  return { note: note.of('client', id, id), document: withoutEmpty(document) };
}

// Seconds.
const longestJwt = 86_400;

function secretOf(given: JsonObject, note: NoteTaker): string | undefined {
  const secret = textOf(given.client_secret);
  if (secret !== '') return secret;
  const rotation = shellCommand('watchword client rotate-secret {name}', { name: textOf(given.client_id) });
  note.leftOut.push('its secret, which the file does not have: --reveal-secrets writes it');
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

function userOf(given: JsonObject): { readonly note: Note; readonly account: JsonObject | undefined } {
  const id = textOf(given.user_id) || `auth0|${textOf(objectOf(given._id).$oid)}`;
  const email = textOf(given.email);
  const username = textOf(given.username) || email;
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
    emailVerified: given.email_verified === true && email !== '',
    givenName: textOf(given.given_name),
    familyName: textOf(given.family_name),
    nickname: textOf(given.nickname),
    picture: textOf(given.picture),
    phoneNumber: textOf(given.phone_number),
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
