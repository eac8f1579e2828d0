import type { ClientFields, ResourceServerFields } from '@watchword/admin-client';
import {
  emailAddress,
  httpsUri,
  hybridRedirectUri,
  jwtLifetime,
  logoutUri,
  redirectUri,
  requiredName,
  scopeToken,
  seconds,
  shortText,
  webUrl,
} from './field-rules.ts';
import { quoted } from './hidden-characters.ts';
import { collect, problem, type Rules } from './problems.ts';
import {
  type Attribute,
  clientFields,
  filledIn,
  issuersOfText,
  keysOfText,
  type TypedClient,
} from './typed-client.ts';
import { scopeOf, type TypedResourceServer } from './typed-resource-server.ts';

const maxScopeText = 300;

export const resourceServerRules: Rules<TypedResourceServer> = (fields) =>
  collect({
    name: [requiredName(fields.name)],
    scopes: fields.scopes.map(scopeToken),
    scopeTexts: fields.scopeTexts.map(scopeTextProblem),
    ...described(fields),
  });

/** @param resourceServer the one of the client */
export function clientRules({
  scopes: offered,
  accessTokenFormat,
}: Pick<ResourceServerFields, 'scopes' | 'accessTokenFormat'>): Rules<TypedClient> {
  return (typed) => {
    const fields = clientFields(typed);
    const { confidential, allowedClientCredentials, allowedHybrid, allowedImplicitGrant, redirectUris } =
      fields;
    return collect({
      clientName: [requiredName(fields.clientName)],
      scopes: fields.scopes.map((scope) =>
        offered.includes(scope) ? undefined : problem('rule.foreignScope', { scope: quoted(scope) }),
      ),
      redirectUris: [
        ...redirectUris.map(
          (uri) => redirectUri(uri) ?? (allowedHybrid ? hybridRedirectUri(uri) : undefined),
        ),
        (allowedImplicitGrant || allowedHybrid) && redirectUris.length === 0
          ? problem('rule.noRedirectUri')
          : undefined,
      ],
      confidential: [confidential && allowedImplicitGrant ? problem('rule.notConfidential') : undefined],
      allowedClientCredentials: [
        allowedClientCredentials && !confidential ? problem('rule.notPublic') : undefined,
      ],
      expireDuration: [
        seconds(fields.expireDuration) ??
          (accessTokenFormat === 'jwt' ? jwtLifetime(fields.expireDuration) : undefined),
      ],
      subjectType: [
        accessTokenFormat === 'jwt' && fields.subjectType === 'pairwise'
          ? problem('rule.publicSubject')
          : undefined,
      ],
      ...openidProblems(fields),
      ...keyProblems(typed),
      attributes: attributeProblems(filledIn(typed.attributes)),
      ...described(fields),
    });
  };
}

/** What is wrong with the keys of a client. */
function keyProblems(typed: TypedClient) {
  const { jwks, jwksUri, assertionIssuers, tokenEndpointAuthMethod: method } = typed;
  const needsKeys = method === 'private_key_jwt' || typed.requireSignedRequestObject;
  const isMissing = needsKeys && jwks.trim() === '' && jwksUri === '';
  return {
    jwks: [
      keysOfText(jwks) === undefined ? problem('rule.keySet') : undefined,
      isMissing ? problem('rule.noKeys') : undefined,
    ],
    assertionIssuers: [
      issuersOfText(assertionIssuers) === undefined ? problem('rule.issuers') : undefined,
      method === 'assertion_issuer' && assertionIssuers.trim() === '' ? problem('rule.required') : undefined,
    ],
    jwksUri: [
      httpsUri(jwksUri),
      jwks.trim() !== '' && jwksUri !== '' ? problem('rule.keysTwice') : undefined,
    ],
  };
}

function scopeTextProblem({ name, value }: Attribute): string | undefined {
  if (value.length > maxScopeText)
    return problem('rule.scopeTextTooLong', { scope: scopeOf(name), characters: maxScopeText });
  return name.startsWith(' ') && value !== ''
    ? problem('rule.scopeTextLanguage', { scope: scopeOf(name) })
    : undefined;
}

/** A record has one value for each name, so the server would get one of several. */
function attributeProblems(attributes: readonly Attribute[]): (string | undefined)[] {
  const names = attributes.map(({ name }) => name);
  const repeated = new Set(names.filter((name, index) => names.indexOf(name) !== index));
  repeated.delete('');
  return [
    names.includes('') ? problem('rule.valueWithoutName') : undefined,
    ...[...repeated].map((name) => problem('rule.repeated', { name: quoted(name) })),
  ];
}

function described({
  description,
  contactName,
  contactEmail,
  thumbNailUrl,
}: Pick<ResourceServerFields, 'description' | 'contactName' | 'contactEmail' | 'thumbNailUrl'>) {
  return {
    description: [shortText(description)],
    contactName: [requiredName(contactName)],
    contactEmail: [emailAddress(contactEmail)],
    thumbNailUrl: [webUrl(thumbNailUrl)],
  };
}

/** What is wrong with the fields of OpenID Connect of a client. */
function openidProblems({
  backchannelLogoutUri,
  frontchannelLogoutUri,
  postLogoutRedirectUris,
  redirectUris,
  ...fields
}: ClientFields) {
  return {
    postLogoutRedirectUris: postLogoutRedirectUris.map(redirectUri),
    sectorIdentifierUri: [
      httpsUri(fields.sectorIdentifierUri),
      fields.sectorIdentifierUri === '' && fields.subjectType === 'pairwise' && hasSeveralHosts(redirectUris)
        ? problem('rule.sectorRequired')
        : undefined,
    ],
    backchannelLogoutUri: [logoutUri(backchannelLogoutUri)],
    frontchannelLogoutUri: [
      logoutUri(frontchannelLogoutUri) ??
        (frontchannelLogoutUri === '' || hasOrigin(redirectUris, frontchannelLogoutUri)
          ? undefined
          : problem('rule.frontchannelOrigin')),
    ],
  };
}

/** OpenID Connect Core §8.1. Only a host with https can be a sector. */
function hasSeveralHosts(uris: readonly string[]): boolean {
  const hosts = uris.map(parsed).map((uri) => (uri?.protocol === 'https:' ? uri.hostname : uri?.protocol));
  return new Set(hosts).size > 1;
}

/** OpenID Connect Front-Channel Logout §2. */
function hasOrigin(uris: readonly string[], uri: string): boolean {
  return uris.some((each) => parsed(each)?.origin === parsed(uri)?.origin);
}

function parsed(uri: string): URL | undefined {
  return URL.canParse(uri) ? new URL(uri) : undefined;
}
