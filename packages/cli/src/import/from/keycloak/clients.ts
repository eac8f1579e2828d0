import { type JsonObject, shellCommand } from '@watchword/protocol';
import { keyFieldsOf } from '../client-keys.ts';
import { objectOf, objectsOf, textOf, textsOf, withoutEmpty } from '../json-values.ts';
import { canBeHybrid, redirectUrisOf } from '../redirect-uris.ts';
import { leftOut, type Note, NoteTaker } from '../translation.ts';
import { keysOf } from './keys.ts';

/** What clients need to know of their realm. */
export interface RealmFacts {
  readonly contactName: string;
  /** Client scopes that the operator made: scopes of the API here. */
  readonly scopes: readonly string[];
  /** Client scopes that bring groups. */
  readonly groupScopes: readonly string[];
  /** Seconds. */
  readonly accessTokenLifespan: number;
}

export interface MovedClient {
  readonly note: Note;
  /** `undefined` if the client does not come. */
  readonly document: JsonObject | undefined;
}

/** Keycloak has them in each realm, for itself. */
const builtIn = [
  'account',
  'account-console',
  'admin-cli',
  'broker',
  'realm-management',
  'security-admin-console',
];

// An export from the administration pages has this in the place of each secret.
const masked = /^\*+$/;

export function isBuiltIn({ clientId }: JsonObject): boolean {
  return builtIn.includes(textOf(clientId));
}

export function clientOf(given: JsonObject, realm: RealmFacts): MovedClient {
  const { clientId } = given;
  const name = textOf(clientId);
  const reason = reasonAgainst(given);
  if (reason !== undefined) return { note: leftOut('client', name, reason), document: undefined };
  const note = new NoteTaker();
  const attributes = objectOf(given.attributes);
  const isPublic = given.publicClient === true;
  const redirectUris =
    given.standardFlowEnabled === true || given.implicitFlowEnabled === true
      ? redirectUrisOf(textsOf(given.redirectUris), textOf(given.rootUrl), note)
      : [];
  noteGrants(given, attributes, note);
  const isHybrid = given.standardFlowEnabled === true && given.implicitFlowEnabled === true && !isPublic;
  const document = {
    clientId: name,
    clientName: nameOf(given),
    description: textOf(given.description),
    contactName: realm.contactName,
    confidential: !isPublic,
    ...(!isPublic && credentialsOf(given, note)),
    ...scopesOf(given, realm, redirectUris.length > 0, note),
    redirectUris,
    allowedClientCredentials: given.serviceAccountsEnabled === true && !isPublic,
    allowedImplicitGrant: given.implicitFlowEnabled === true && isPublic,
    allowedHybrid: isHybrid && canBeHybrid(redirectUris, note),
    useRefreshTokens: redirectUris.length > 0 && attributes['use.refresh.tokens'] !== 'false',
    skipConsent: given.consentRequired !== true,
    expireDuration: seconds(attributes['access.token.lifespan']) ?? realm.accessTokenLifespan,
    ...demandsOf(attributes, given.implicitFlowEnabled === true && isPublic),
    ...logoutOf(attributes, redirectUris, note),
  };
  return { note: note.of('client', name, name), document: withoutEmpty(document) };
}

function reasonAgainst({ protocol = 'openid-connect', enabled }: JsonObject): string | undefined {
  if (protocol !== 'openid-connect')
    return `applications log users in by OpenID Connect here, and this one does by ${protocol === 'saml' ? 'SAML' : 'another protocol'}`;
  return enabled === false ? 'it is disabled at the old server' : undefined;
}

/** Keycloak has texts such as `${client_account}` for its own pages. */
function nameOf({ name, clientId }: JsonObject): string {
  const given = textOf(name);
  return given === '' || given.startsWith('${') ? textOf(clientId) : given;
}

/** Its secret or its keys, if it can use them here. */
function credentialsOf(given: JsonObject, note: NoteTaker): JsonObject {
  const rotation = shellCommand('watchword client rotate-secret {name}', { name: textOf(given.clientId) });
  const type = textOf(given.clientAuthenticatorType) || 'client-secret';
  const keys = type === 'client-jwt' ? keyFieldsOf(keysOf(given), note) : undefined;
  if (keys !== undefined) return keys;
  if (type !== 'client-secret') {
    note.leftOut.push(`authentication by ${type}`);
    note.mustDo.push(`get a secret with "${rotation}", and let the client use it`);
    return {};
  }
  const secret = textOf(given.secret);
  if (secret !== '' && !masked.test(secret)) return { secret };
  note.leftOut.push(
    'its secret, which the file does not have: "kc.sh export" writes it, the administration pages do not',
  );
  note.mustDo.push(`get another secret with "${rotation}"`);
  return {};
}

/** What the client may do there and nobody can do here. */
function noteGrants(given: JsonObject, attributes: JsonObject, note: NoteTaker): void {
  const isPublic = given.publicClient === true;
  const grants: readonly [unknown, string, string][] = [
    [given.directAccessGrantsEnabled, 'the password grant', 'if it is used, send users to the login page'],
    [
      attributes['oauth2.device.authorization.grant.enabled'],
      'the device grant',
      'if it is used, send users to the login page',
    ],
    [attributes['oidc.ciba.grant.enabled'], 'CIBA', 'if it is used, send users to the login page'],
    [
      attributes['standard.token.exchange.enabled'],
      'token exchange',
      'if it is used, let the API get a token of its own',
    ],
    [
      given.implicitFlowEnabled === true && !isPublic,
      'the implicit grant of a confidential client',
      'if it is used, let the client use codes',
    ],
    [
      given.authorizationServicesEnabled,
      'authorization services (UMA)',
      'let the API decide by scopes, roles and groups',
    ],
  ];
  for (const [isOn, what, advice] of grants) {
    if (isOn !== true && isOn !== 'true') continue;
    note.leftOut.push(what);
    note.mustDo.push(advice);
  }
  if (isPublic && given.standardFlowEnabled === true && attributes['pkce.code.challenge.method'] !== 'S256')
    note.mustDo.push('let the application use PKCE with S256, which a public client needs here');
  for (const { name, protocolMapper } of objectsOf(given.protocolMappers)) {
    if (protocolMapper === groupMapper || isOfServiceAccount(name)) continue;
    note.leftOut.push(`the protocol mapper "${textOf(name)}" (${textOf(protocolMapper)})`);
  }
}

export const groupMapper = 'oidc-group-membership-mapper';

/** Keycloak adds them to a client that acts for itself. */
function isOfServiceAccount(name: unknown): boolean {
  return ['Client ID', 'Client Host', 'Client IP Address'].includes(textOf(name));
}

const openidScopes = ['profile', 'email', 'address', 'phone'];

function scopesOf(given: JsonObject, realm: RealmFacts, hasUsers: boolean, note: NoteTaker): JsonObject {
  const names = [...textsOf(given.defaultClientScopes), ...textsOf(given.optionalClientScopes)];
  const mappers = objectsOf(given.protocolMappers).map(({ protocolMapper }) => protocolMapper);
  const hasGroups = mappers.includes(groupMapper) || names.some((name) => realm.groupScopes.includes(name));
  const scopes = [...new Set(names)].filter((name) => realm.scopes.includes(name));
  if (textsOf(given.defaultClientScopes).some((name) => scopes.includes(name)))
    note.mustDo.push('ask for its default scopes too: a request that names scopes gets those alone');
  return {
    scopes,
    openidScopes: hasUsers
      ? [...openidScopes.filter((name) => names.includes(name)), ...(hasGroups ? ['groups'] : [])]
      : [],
  };
}

/** What the old server demands of its requests. @param isImplicit it gets tokens in addresses, which are bound to no key */
function demandsOf(attributes: JsonObject, isImplicit: boolean): JsonObject {
  const isOn = (name: string) => attributes[name] === 'true';
  return {
    requirePushedAuthorizationRequests: isOn('require.pushed.authorization.requests'),
    dpopBoundAccessTokens: isOn('dpop.bound.access.tokens') && !isImplicit,
    tlsClientCertificateBoundAccessTokens: isOn('tls.client.certificate.bound.access.tokens') && !isImplicit,
  };
}

function logoutOf(attributes: JsonObject, redirectUris: readonly string[], note: NoteTaker): JsonObject {
  const given = textOf(attributes['post.logout.redirect.uris']);
  const after = given
    .split('##')
    .flatMap((uri) => (uri === '+' ? redirectUris : uri === '' || uri === '-' ? [] : [uri]));
  const [back, front] = [
    textOf(attributes['backchannel.logout.url']),
    textOf(attributes['frontchannel.logout.url']),
  ];
  return withoutEmpty({
    postLogoutRedirectUris: redirectUrisOf(after, '', note),
    backchannelLogoutUri: back,
    ...(back !== '' && {
      backchannelLogoutSessionRequired: attributes['backchannel.logout.session.required'] === 'true',
    }),
    frontchannelLogoutUri: front,
    ...(front !== '' && {
      frontchannelLogoutSessionRequired: attributes['frontchannel.logout.session.required'] === 'true',
    }),
  });
}

function seconds(value: unknown): number | undefined {
  const number = Number(value);
  return Number.isInteger(number) && number > 0 ? number : undefined;
}
