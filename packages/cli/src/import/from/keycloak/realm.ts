import { type JsonObject, shellCommand } from '@watchword/protocol';
import { UsageError } from '../../../command/usage-error.ts';
import { objectOf, objectsOf, textOf, withoutEmpty } from '../json-values.ts';
import { type Note, NoteTaker, type Translation } from '../translation.ts';
import { clientOf, groupMapper, isBuiltIn, type MovedClient, type RealmFacts } from './clients.ts';
import { rolesOf } from './roles.ts';
import { userOf } from './users.ts';

/**
 * The realm becomes a resource server, whose scopes are the client scopes that the operator made, and all clients belong to it. Groups
 * stay groups and roles stay roles of the accounts.
 *
 * @param file for messages
 * @throws UsageError if it is no export of a realm
 */
export async function fromKeycloak(file: string, given: unknown): Promise<Translation> {
  const realm = realmOf(file, given);
  const clients = objectsOf(realm.clients);
  const own = clients.filter((client) => !isBuiltIn(client));
  const facts = factsOf(realm);
  const [apis, applications] = [own.filter(isApi), own.filter((client) => !isApi(client))];
  const moved = applications.map((client) => clientOf(client, facts));
  const roles = rolesOf(
    realm,
    clients.filter(isBuiltIn).map(({ clientId }) => textOf(clientId)),
  );
  const users = await Promise.all(objectsOf(realm.users).map((user) => userOf(user, roles)));
  const home = homeOf(realm, facts, moved);
  const others = apis.map((api) => apiOf(api, facts));
  return {
    resourceServers: [home.document, ...others.map(({ document }) => document)],
    accounts: users.flatMap(({ account }) => (account === undefined ? [] : [account])),
    tokens: [],
    notes: [
      home.note,
      ...others.map(({ note }) => note),
      ...moved.map(({ note }) => note),
      ...users.map(({ note }) => note),
    ],
    mustDo: mustDoOf(realm),
  };
}

function realmOf(file: string, given: unknown): JsonObject {
  if (Array.isArray(given))
    throw new UsageError(
      `${file}: expected the export of one realm, got a list of ${given.length}; "kc.sh export --realm NAME --file FILE" writes one`,
    );
  const realm = objectOf(given);
  if (typeof realm.realm === 'string' && realm.realm !== '' && Array.isArray(realm.clients)) return realm;
  throw new UsageError(
    `${file}: expected the export of a realm, an object with "realm" and "clients"; "kc.sh export --realm NAME --users same_file --file FILE" writes it`,
  );
}

// Client scopes that Keycloak makes in each realm.
const builtInScopes = new Set([
  ...[
    'acr',
    'address',
    'basic',
    'email',
    'microprofile-jwt',
    'offline_access',
    'organization',
    'phone',
    'profile',
  ],
  ...['role_list', 'roles', 'saml_organization', 'service_account', 'web-origins'],
]);

function ownScopes(realm: JsonObject): JsonObject[] {
  return objectsOf(realm.clientScopes).filter(
    ({ name, protocol = 'openid-connect' }) =>
      protocol === 'openid-connect' && !builtInScopes.has(textOf(name)),
  );
}

function factsOf(realm: JsonObject): RealmFacts {
  const bringsGroups = ({ protocolMappers }: JsonObject) =>
    objectsOf(protocolMappers).some(({ protocolMapper }) => protocolMapper === groupMapper);
  const lifespan = Number(realm.accessTokenLifespan);
  return {
    contactName: `Administrators of ${textOf(realm.displayName) || textOf(realm.realm)}`,
    scopes: ownScopes(realm).map(({ name }) => textOf(name)),
    groupScopes: objectsOf(realm.clientScopes)
      .filter(bringsGroups)
      .map(({ name }) => textOf(name)),
    accessTokenLifespan: Number.isInteger(lifespan) && lifespan > 0 ? lifespan : 300,
  };
}

interface MovedApi {
  readonly note: Note;
  readonly document: JsonObject;
}

function homeOf(realm: JsonObject, { contactName }: RealmFacts, clients: readonly MovedClient[]): MovedApi {
  const note = new NoteTaker();
  const key = textOf(realm.realm);
  const rotation = shellCommand('watchword resource-server rotate-secret {name}', { name: key });
  note.mustDo.push(`APIs that ask token info or introspection need a secret: "${rotation}" makes one`);
  const document = {
    key,
    name: textOf(realm.displayName) || key,
    contactName,
    accessTokenFormat: 'jwt',
    scopes: ownScopes(realm).map(({ name, description, attributes }) =>
      withoutEmpty({
        name: textOf(name),
        description: textOf(objectOf(attributes)['consent.screen.text']) || textOf(description),
      }),
    ),
    clients: clients.flatMap(({ document: each }) => (each === undefined ? [] : [each])),
  };
  return { note: note.of('resourceServer', textOf(realm.id), key), document };
}

/** A client that logs nobody in and gets no tokens: it is an API. */
function isApi({ bearerOnly }: JsonObject): boolean {
  return bearerOnly === true;
}

function apiOf(given: JsonObject, { contactName }: RealmFacts): MovedApi {
  const note = new NoteTaker();
  const key = textOf(given.clientId);
  const secret = textOf(given.secret);
  const hasSecret = secret !== '' && !/^\*+$/.test(secret);
  const rotation = shellCommand('watchword resource-server rotate-secret {name}', { name: key });
  if (!hasSecret) note.mustDo.push(`if it asks token info or introspection, "${rotation}" makes its secret`);
  note.mustDo.push(
    'give it scopes, and name it among the other resource servers of the clients that call it',
  );
  const document = withoutEmpty({
    key,
    name: textOf(given.name) || key,
    description: textOf(given.description),
    contactName,
    accessTokenFormat: 'jwt',
    secret: hasSecret ? secret : undefined,
  });
  return { note: note.of('resourceServer', key, key), document };
}

function mustDoOf(realm: JsonObject): string[] {
  const mustDo = [
    'Each user has another sub here: applications that know users by it need the mapping file.',
    'Users log in by the exact username: not by address, and capitals count.',
  ];
  if (!Array.isArray(realm.users))
    mustDo.push(
      'The file has no users: "kc.sh export --realm NAME --users same_file --file FILE" writes them.',
    );
  const providers = objectsOf(realm.identityProviders).map(({ alias }) => textOf(alias));
  if (providers.length > 0)
    mustDo.push(
      `Set up the identity providers ${providers.join(', ')}: "watchword identity-provider create".`,
    );
  const storage = objectOf(realm.components)['org.keycloak.storage.UserStorageProvider'];
  if (objectsOf(storage).length > 0)
    mustDo.push('Users of LDAP or another user storage are not in the file: a module has to ask it.');
  return mustDo;
}
