import { isMailUrl, isSender } from '@watchword/mail';
import { certificateForms, profiles } from '@watchword/protocol';
import { assertionIssuerList } from './assertion-issuers.ts';
import { authenticatorList } from './authenticators.ts';
import {
  isAddressRange,
  isBaseUrl,
  isContact,
  isDomain,
  isHeaderName,
  isHelpUrl,
  isHost,
  isHostName,
  isHostWithPort,
  isHttpsOrigin,
  isHttpsUrl,
  isKeyAddress,
  isMailPassword,
  isMetricsToken,
  isOtlpEndpoint,
  isShortText,
  isSigningKey,
  isTime,
  mailPasswordForm,
  metricsTokenForm,
  signingKeyForm,
  withSmallHost,
} from './checks.ts';
import { claimSources } from './claim-sources.ts';
import { fileOrUrl, postgresqlUrl } from './database-kinds.ts';
import { documentHosts } from './document-hosts.ts';
import {
  choices,
  fraction,
  type Kind,
  listOf,
  moduleName,
  object,
  oneOf,
  optional,
  path,
  processes,
  registrationRight,
  secret,
  spelled,
  text,
  textSchema,
  truth,
  wholeNumber,
} from './kinds.ts';
import { loginClasses, providerLevels } from './login-levels.ts';
import { maskCredentials } from './mask.ts';
import { requiredActionList } from './required-actions.ts';
import { textOrTexts } from './text-by-language.ts';

/** One setting. Its path is its name in a file. The flag and the environment variable are derived from the path. */
export interface Setting<Value> {
  readonly kind: Kind<Value>;
  /** `undefined` if the value is derived from other settings, as `help` describes. */
  readonly default: Value | undefined;
  readonly help: string;
}

function setting<Value>(kind: Kind<Value>, fallback: Value | undefined, help: string): Setting<Value> {
  return { kind, default: fallback, help };
}

/** Seconds. */
export const maxAuthStateLifetime = 86_400;

/** All settings of the server. This is the only place where a setting is defined. */
export const settings = {
  host: setting(
    text('a host name or an IP address', isHost),
    'localhost',
    'Host name or address to listen on.',
  ),
  port: setting(wholeNumber(0, 65_535), 8080, 'TCP port to listen on; 0 = any free port.'),
  baseUrl: setting(
    spelled(
      withSmallHost,
      text(
        'an http(s) URL without query, fragment, user or slash at its end, and without *, :, ;, % or // in its path',
        isBaseUrl,
      ),
    ),
    undefined,
    'URL under which clients reach the server, with a path prefix if it has one. Default: http://localhost:{port}.',
  ),
  database: setting(
    fileOrUrl,
    './data/watchword.db',
    'File of the embedded SQLite database, or URL of a PostgreSQL database such as postgres://user@host/name.',
  ),
  databaseUrlFile: setting(
    optional(path('the path of a file')),
    undefined,
    'File with the URL of a PostgreSQL database, instead of database.',
  ),
  databaseListen: setting(
    optional(postgresqlUrl),
    undefined,
    'URL of a direct connection to the PostgreSQL database, on which the server hears of changes of records at once. Without it, the server reads them four times a second.',
  ),
  'postgresql.connections': setting(
    wholeNumber(1, 1000),
    4,
    'Maximum number of connections to PostgreSQL, of each process, for the work of requests.',
  ),
  'postgresql.otherConnections': setting(
    wholeNumber(1, 1000),
    4,
    'Maximum number of connections to PostgreSQL, of each process, for other work such as administration and purge.',
  ),
  'postgresql.connectTimeout': setting(
    wholeNumber(1, 300, 'seconds'),
    5,
    'Seconds within which a connection to PostgreSQL must be open.',
  ),
  'postgresql.statementTimeout': setting(
    wholeNumber(1, 3600, 'seconds'),
    30,
    'Seconds after which PostgreSQL cancels a statement of other work.',
  ),
  'postgresql.lockTimeout': setting(
    wholeNumber(1, 3600, 'seconds'),
    5,
    'Seconds after which PostgreSQL cancels a statement that waits for a lock.',
  ),
  'postgresql.preparedStatements': setting(
    truth,
    true,
    'Prepare statements once for each connection to PostgreSQL. A connection pooler in transaction mode, such as PgBouncer, needs false.',
  ),
  workers: setting(
    processes(64),
    1,
    'Number of processes of this machine that answer requests at the port, on PostgreSQL; auto = one for each processor.',
  ),
  trustedProxies: setting(
    listOf(
      'IP addresses or ranges such as 10.0.0.0/8',
      textSchema('an IP address or range such as 10.0.0.0/8', isAddressRange),
    ),
    [],
    'Proxies whose X-Forwarded-For is trusted. From any other address that header is ignored.',
  ),
  'clientCertificate.header': setting(
    optional(text('the name of a header', isHeaderName)),
    undefined,
    'Header in which a trusted proxy names the certificate of the client, for tokens that are bound to it; the proxy must remove it from requests of clients. From any other address it is ignored.',
  ),
  'clientCertificate.form': setting(
    oneOf(certificateForms),
    'pem',
    'How that header has the certificate: pem, percent-encoded or not, as $ssl_client_escaped_cert of nginx; rfc9440, as Client-Cert; base64, DER; or xfcc, as x-forwarded-client-cert of Envoy with Cert.',
  ),
  allowedHosts: setting(
    listOf(
      'host names or addresses, without port',
      textSchema('a host name or an address, without port', isHostName),
    ),
    [],
    'Host names, without port, by which callers also reach a server with a loopback base URL or a module for development. Requests for any other host get 421, except at /healthz, /readyz and /metrics. A server with a public base URL answers for every host.',
  ),
  authenticator: setting(
    moduleName,
    'form',
    'Module that authenticates the resource owner: form (accepts every user), password (local accounts), noop, noop-admin, or a package or file.',
  ),
  authenticatorOptions: setting(object, {}, 'Options of the authentication module, passed on unchanged.'),
  authenticators: setting(
    authenticatorList,
    [],
    'Several authentication modules from which users choose, instead of authenticator: a list of names, or of objects with module, as, options and label.',
  ),
  allowInsecureAuthentication: setting(
    truth,
    false,
    'Allow a module that does not authenticate users or does not ask for consent, even if other machines can reach the server.',
  ),
  consent: setting(
    moduleName,
    'form',
    'Module that asks the resource owner for consent: form, noop (grants everything), or a package or file.',
  ),
  consentOptions: setting(object, {}, 'Options of the consent module, passed on unchanged.'),
  requiredActions: setting(
    requiredActionList,
    [],
    'What people must agree to before they are logged in, such as terms: a list of objects with name, version, title, text, url, groups and repeatAfter (days).',
  ),
  'factors.required': setting(
    optional(oneOf(['none', 'administrators', 'everyone'])),
    undefined,
    'Who logs in with a second factor, or with a passkey: none, administrators, everyone. People without one are asked to add it at a login. Default: administrators; none for a database of an earlier release, for a demo, and where a module for development lets people in.',
  ),
  'factors.groups': setting(
    listOf('names of groups', textSchema('the name of a group', isShortText(255))),
    [],
    'Groups whose members log in with a second factor too, whatever factors.required says.',
  ),
  'factors.graceDays': setting(
    wholeNumber(0, 365, 'days'),
    0,
    'Days within which people of whom a second factor is required can put off adding one, since they were asked first; 0 = they cannot.',
  ),
  'factors.trustDays': setting(
    wholeNumber(0, 365, 'days'),
    0,
    'Days for which people can trust a browser in which they have proved a second factor, so that it is not asked there; 0 = never. It never stands for a passkey.',
  ),
  'factors.classes': setting(
    loginClasses,
    {},
    'Further authentication context classes (acr) of this server, with the level that each demands: {"urn:example:gold": "mfa"}. A level is sfa (a single factor), mfa (several), or phr (a passkey). https://refeds.org/profile/sfa, https://refeds.org/profile/mfa and phr always are.',
  ),
  'factors.providers': setting(
    providerLevels,
    {},
    'What logins at identity providers count for, by the name of their authenticator: the values of acr or amr that are worth a level here, such as {"university": {"mfa": ["https://refeds.org/profile/mfa"]}}. Any other login there is sfa, whatever the provider says. Those that administrators set up have fields for it.',
  ),
  'passkeys.relyingPartyId': setting(
    optional(text('a domain in small letters, such as example.com', isDomain)),
    undefined,
    'Domain to which passkeys belong, for ever: the host of baseUrl (the default), or a parent domain of it. A change loses all passkeys. For another domain, such as a former one, https://DOMAIN/.well-known/webauthn must name the origin of baseUrl.',
  ),
  'passkeys.relatedOrigins': setting(
    listOf(
      'https origins such as https://example.net',
      textSchema('an https origin without slash at its end, such as https://example.net', isHttpsOrigin),
    ),
    [],
    'Origins of other domains whose pages can use the same passkeys: /.well-known/webauthn names them (WebAuthn related origins). Browsers take five domains.',
  ),
  'session.idleLifetime': setting(
    wholeNumber(60, 31_536_000, 'seconds'),
    28_800,
    'Seconds without use after which a login session ends.',
  ),
  'session.lifetime': setting(
    wholeNumber(60, 31_536_000, 'seconds'),
    604_800,
    'Seconds after which a login session ends, even if it is used.',
  ),
  'authState.lifetime': setting(
    wholeNumber(60, maxAuthStateLifetime, 'seconds'),
    600,
    'Seconds within which a user must answer the login page, and the consent page.',
  ),
  'authorization.requirePushedRequests': setting(
    truth,
    false,
    'Clients must push their authorization requests (PAR, RFC 9126), but those of the administration.',
  ),
  'authorization.requireSignedRequests': setting(
    truth,
    false,
    'Clients must sign their authorization requests (request objects, RFC 9101), but those of the administration.',
  ),
  'authorization.requestUris': setting(
    truth,
    false,
    'Fetch request objects from the requestUris of clients (request_uri, OpenID Connect Core section 6.2).',
  ),
  'code.lifetime': setting(
    wholeNumber(1, 600, 'seconds'),
    60,
    'Seconds that an authorization code is valid.',
  ),
  'implicit.lifetime': setting(
    wholeNumber(60, 31_536_000, 'seconds'),
    3600,
    'Seconds that a token of the implicit grant is valid if its client has no lifetime for tokens.',
  ),
  'refresh.idleLifetime': setting(
    wholeNumber(60, 315_360_000, 'seconds'),
    2_592_000,
    'Seconds without use after which a refresh token expires.',
  ),
  'refresh.lifetime': setting(
    wholeNumber(60, 315_360_000, 'seconds'),
    15_552_000,
    'Seconds after which the resource owner must log in again, even if the refresh token is used.',
  ),
  'refresh.graceSeconds': setting(
    wholeNumber(0, 300, 'seconds'),
    30,
    'Seconds within which a confidential client that lost the answer can repeat its refresh request and get the same answer; 0 = never.',
  ),
  'refresh.publicGraceSeconds': setting(
    wholeNumber(0, 300, 'seconds'),
    10,
    'Seconds within which a public client that lost the answer can repeat its refresh request and get the same answer; 0 = never.',
  ),
  'refresh.graceStreak': setting(
    wholeNumber(0, 100),
    3,
    'Number of consecutive rotations with a repeated answer at which the grant of a refresh token is revoked; 0 = never.',
  ),
  'token.omitZeroExpiresIn': setting(
    truth,
    false,
    'Leave expires_in out of a token response when the token does not expire, for client libraries that read expires_in 0 as expired.',
  ),
  'dpop.requireNonce': setting(
    truth,
    false,
    'Take DPoP proofs only with a nonce of this server, so that no proof can be made in advance; clients repeat their first request with it. Otherwise only a proof whose time is wrong needs one.',
  ),
  'openid.idTokenLifetime': setting(
    wholeNumber(60, 86_400, 'seconds'),
    3600,
    'Seconds until an ID token expires.',
  ),
  'openid.claims': setting(
    claimSources,
    {},
    'Attributes of users that become claims, in addition to the obvious names, or instead of them: {"email": "mail", "department": ["ou", "department"], "roles": {"from": "principal.roles", "scope": "groups"}}. A claim that is not a standard one belongs to the scope that is named, else to profile. principal.name, principal.roles and principal.groups are the other fields of a user.',
  ),
  'openid.claimsInIdToken': setting(
    truth,
    false,
    'Put the claims of the granted scopes also into the ID tokens of every client, for client libraries that do not ask the userinfo endpoint; claimsInIdToken of a client does so for that client.',
  ),
  'openid.subjectFrom': setting(
    text('subject, or the name of an attribute of at most 255 characters', isShortText(255)),
    'subject',
    'The sub of users: subject is that of this server. The name of an attribute keeps the sub of an earlier server for users who have the attribute; a user who can choose its value can become any other user.',
  ),
  'adminService.jsonTypeInfoIncluded': setting(
    truth,
    false,
    'Wrap the objects and lists of token info as [type, value], for JVM resource servers.',
  ),
  profile: setting(
    oneOf(profiles),
    'compatible',
    'How strict the server is: compatible takes what OAuth 2.0 permits, oauth-2.1 what OAuth 2.1 permits, mcp what the authorization of the Model Context Protocol permits, fapi-2.0 what the FAPI 2.0 Security Profile permits. watchword lint lists the clients that a profile would refuse.',
  ),
  'scope.commaSeparated': setting(
    truth,
    false,
    'Read scope=read,write as two scopes, for clients that separate scopes by commas. A scope then cannot contain a comma.',
  ),
  'failedAttempts.perIdentifier': setting(
    wholeNumber(0, 1_000_000),
    60,
    'Maximum number of failed authentications a minute from one address for one client or resource server; 0 = no limit.',
  ),
  'failedAttempts.perAddress': setting(
    wholeNumber(0, 1_000_000),
    600,
    'Maximum number of failed authentications a minute from one address in total; 0 = no limit.',
  ),
  'passwordHashing.concurrency': setting(
    optional(wholeNumber(1, 128)),
    undefined,
    'Number of passwords that each process hashes at the same time; each takes a core for some 40 ms, and 19 MiB of memory. Default: 1, or 2 for a single process on four cores or more.',
  ),
  'passwordHashing.maxWaiting': setting(
    wholeNumber(0, 1000),
    32,
    'Number of passwords that can wait, in each process, to be hashed. Further logins get 503 and are asked to try again.',
  ),
  'administration.freshLogin': setting(
    wholeNumber(0, 86_400, 'seconds'),
    900,
    'Seconds since the login of a person, at most, before what cannot be undone over the administration interface, such as a deletion; people with an older login log in again. 0 = any login is enough.',
  ),
  'administration.registration': setting(
    registrationRight,
    'everyone',
    'Who may register resource servers and clients: everyone who can log in, group:NAME for the users of a group, or administrators. Administrators always may.',
  ),
  registration: setting(
    oneOf(['off', 'invitation', 'open']),
    'off',
    'Who makes a local account: off for administrators alone, invitation for the people whom they invite too, open for everybody with an e-mail address too. open needs mail.url.',
  ),
  registrationDomains: setting(
    listOf('domains such as example.org', textSchema('a domain such as example.org', isHostName)),
    [],
    'Domains whose addresses can make an account by themselves where registration is open. Default: all.',
  ),
  'account.deletion': setting(
    truth,
    true,
    'People can delete their accounts at the account page; those who log in elsewhere, what this server stores of them.',
  ),
  'account.passwordByRecoveryCode': setting(
    truth,
    false,
    'A person whose account has a passkey and no password gets a first one by a mailed link and a recovery code. Else no mail gives one.',
  ),
  'ownerLimits.records': setting(
    wholeNumber(0, 10_000_000),
    100,
    'Maximum number of resource servers and clients together of one user; 0 = no limit. Administrators have no limit.',
  ),
  'ownerLimits.changesPerMinute': setting(
    wholeNumber(0, 10_000_000),
    60,
    'Maximum number of changes of records and tokens a minute by one user; 0 = no limit. Administrators have no limit.',
  ),
  'ownerLimits.clientRecords': setting(
    wholeNumber(0, 10_000_000),
    10_000,
    'Maximum number of resource servers and clients together of one client that acts for itself; 0 = no limit.',
  ),
  'ownerLimits.clientChangesPerMinute': setting(
    wholeNumber(0, 10_000_000),
    10_000,
    'Maximum number of changes of records and tokens a minute by one client that acts for itself; 0 = no limit.',
  ),
  'http.requestTimeout': setting(
    wholeNumber(1, 3600, 'seconds'),
    15,
    'Seconds within which a complete request must arrive.',
  ),
  'http.ownReader': setting(
    truth,
    true,
    'Read requests of the usual form without the parser of Node.js, which takes half of the time (SECURITY.md says what it takes and leaves). false: Node.js reads every request.',
  ),
  'securityTxt.contact': setting(
    listOf(
      'mailto:, https: or tel: URIs',
      textSchema('a URI such as mailto:security@example.com, https: or tel:', isContact),
    ),
    [],
    'Where to report a weakness of this installation, the preferred way first: mailto:, https: or tel: URIs, which /.well-known/security.txt names (RFC 9116). Without one, there is no such file.',
  ),
  'securityTxt.policy': setting(
    optional(text('an https URL', isHttpsUrl)),
    undefined,
    'URL of the policy for reports, in security.txt.',
  ),
  'securityTxt.encryption': setting(
    optional(text('an https:, openpgp4fpr: or dns: URI', isKeyAddress)),
    undefined,
    'URI of the key with which to encrypt reports, in security.txt.',
  ),
  'shutdown.deadline': setting(
    wholeNumber(1, 3600, 'seconds'),
    10,
    'Seconds that a shutdown can take to finish requests and other work.',
  ),
  'shutdown.linger': setting(
    wholeNumber(0, 3600, 'seconds'),
    1,
    'Seconds for which a shutdown leaves idle connections open after the port has closed, so that no request in transit is reset; at most half of the deadline.',
  ),
  'signing.algorithms': setting(
    choices(['RS256', 'ES256', 'EdDSA', 'PS256']),
    ['RS256'],
    'Algorithms with which the server signs JWTs, with a key for each: RS256, ES256, EdDSA, PS256. The first is the default.',
  ),
  'signing.rotationInterval': setting(
    wholeNumber(86_400, 315_360_000, 'seconds'),
    7_776_000,
    'Seconds for which a key signs JWTs before another follows it.',
  ),
  'signing.key': setting(
    optional(secret(signingKeyForm, isSigningKey)),
    undefined,
    'Key that seals the private keys in the database: 32 bytes in base64. Other users of the machine can read a flag, so use the variable or signing.keyFile.',
  ),
  'signing.keyFile': setting(
    optional(path('the path of a file')),
    undefined,
    'File with the key that seals the private keys in the database, instead of signing.key. Default: a SQLite database has a file beside it, {database}.key, which the server makes.',
  ),
  'signing.kms': setting(
    optional(moduleName),
    undefined,
    'Key management system that holds the private keys, instead of the database: file (a folder), or a package or file.',
  ),
  'signing.kmsOptions': setting(object, {}, 'Options of the key management system, passed on unchanged.'),
  'purge.interval': setting(
    wholeNumber(1, 86_400, 'seconds'),
    60,
    'Seconds between two removals of expired, revoked and deleted rows.',
  ),
  'purge.retention': setting(
    wholeNumber(0, 315_360_000, 'seconds'),
    86_400,
    'Seconds that an expired token or code is kept, so that a resource server gets "expired" and not "unknown", and a replayed code is detected.',
  ),
  'audit.retention': setting(
    wholeNumber(0, 3_155_760_000, 'seconds'),
    31_536_000,
    'Seconds that the audit log keeps changes of records; 0 = forever.',
  ),
  'audit.loginRetention': setting(
    wholeNumber(0, 3_155_760_000, 'seconds'),
    7_776_000,
    'Seconds that the audit log keeps logins, logouts, grants and withdrawals; 0 = forever.',
  ),
  'clients.metadataDocuments': setting(
    documentHosts,
    'on',
    'Whose clients can use the URL of a document that describes them as client_id, without a registration: on = those of every host that no administrator blocked, off = none, or a list of host names. Users are always asked for consent.',
  ),
  'clients.metadataDocumentBytes': setting(
    wholeNumber(1000, 100_000, 'bytes'),
    5120,
    'Size, at most, of the document of a client.',
  ),
  'clients.unusedDocumentLifetime': setting(
    wholeNumber(0, 315_360_000, 'seconds'),
    604_800,
    'Seconds after which a client that a document describes is deleted if it has got no token since, and nothing that users gave it is valid; 0 = never. The next consent makes it again.',
  ),
  'clients.toolsPerPerson': setting(
    wholeNumber(0, 10_000),
    50,
    'Number of clients that documents describe to which a person can give access at a time, and of those among them that are new to this server in an hour; 0 = no limit.',
  ),
  'clients.registration': setting(
    oneOf(['off', 'tokens', 'open']),
    'off',
    'Who can register a client at the registration endpoint (RFC 7591): off = nobody, and there is no such endpoint, tokens = whoever has an initial access token that an administrator has made, open = everybody, at a limited pace. Users are always asked for consent.',
  ),
  'clients.neverUsedLifetime': setting(
    wholeNumber(0, 315_360_000, 'seconds'),
    604_800,
    'Seconds after which a client that registered itself is deleted if it has never got a token; 0 = never.',
  ),
  'clients.unusedLifetime': setting(
    wholeNumber(0, 315_360_000, 'seconds'),
    7_776_000,
    'Seconds after which a client that registered itself is deleted if it has got no token since; 0 = never.',
  ),
  'clients.assertionIssuers': setting(
    assertionIssuerList,
    [],
    'Issuers whose tokens authenticate clients (assertion_issuer) and whose keys clients need not name: a list of objects with issuer and either jwksFile, a file, or jwksUri, an https URL, which can be in a private network, with caFile, the certificates of its authority, and tokenFile, a bearer token for it. All files are read again. usableBy says whose clients: administrators (the default), everyone, or group:NAME.',
  ),
  'outbound.privateHosts': setting(
    listOf(
      'host names such as app.internal:8443',
      textSchema('a host name or IPv4 address, with :port for that port only', isHostWithPort),
    ),
    [],
    'Hosts to which the server sends the requests that a registration asks for, such as logout tokens, although their addresses are not on the public internet.',
  ),
  'bridge.url': setting(
    optional(text('an http(s) URL without query, fragment and user', isOtlpEndpoint)),
    undefined,
    'URL of token info or introspection of the server that this one takes over from. It is asked for tokens that this server does not know. Default: no server is asked.',
  ),
  'bridge.protocol': setting(
    oneOf(['introspection', 'tokenInfo']),
    'introspection',
    'How that server is asked: introspection (RFC 7662), or tokenInfo as apis answers.',
  ),
  'bridge.until': setting(
    optional(text('a time such as 2027-01-31T00:00:00Z', isTime)),
    undefined,
    'When the bridge ends: from then on that server is not asked.',
  ),
  'bridge.clientId': setting(
    optional(text('1 to 255 visible ASCII characters', (value) => /^[\x21-\x7e]{1,255}$/.test(value))),
    undefined,
    'Client id, or key of a resource server, by which this server authenticates there.',
  ),
  'bridge.secretFile': setting(
    optional(path('the path of a file')),
    undefined,
    'File with the secret of bridge.clientId.',
  ),
  'bridge.cacheSeconds': setting(
    wholeNumber(0, 300, 'seconds'),
    60,
    'Seconds for which an answer of that server is used: for so long a token is accepted that was revoked there.',
  ),
  'logout.frontchannel': setting(
    truth,
    false,
    'Load the front-channel logout URIs of clients in frames of the page after a logout. Browsers that block cookies of other sites make it unreliable.',
  ),
  'mail.url': setting(
    optional(
      text(
        'smtps://HOST or smtp+starttls://HOST, with USER@ and :PORT if needed, without a password; smtp://localhost for this machine alone',
        isMailUrl,
      ),
    ),
    undefined,
    'Mail server that takes the mails to users: smtps:// (TLS, port 465) or smtp+starttls:// (port 587), with the user in front of the host; smtp:// for a server of this machine. Without it, nothing that needs mail is shown.',
  ),
  'mail.password': setting(
    optional(secret(mailPasswordForm, isMailPassword)),
    undefined,
    'Password of the user in mail.url. Other users of the machine can read a flag, so use the variable or mail.passwordFile.',
  ),
  'mail.passwordFile': setting(
    optional(path('the path of a file')),
    undefined,
    'File with the password of the user in mail.url, instead of mail.password.',
  ),
  'mail.from': setting(
    optional(text('an address such as no-reply@example.org, or Name <no-reply@example.org>', isSender)),
    undefined,
    'Sender of mails: an address, or a name with an address. mail.url needs it.',
  ),
  'mail.replyTo': setting(
    optional(text('an address such as help@example.org, or Name <help@example.org>', isSender)),
    undefined,
    'Address to which mail programs send answers. Default: the sender.',
  ),
  'pages.productName': setting(
    text('1 to 60 characters', isShortText(60)),
    'Watchword',
    'Name of this server on its pages.',
  ),
  'pages.logo': setting(
    optional(path('the path of an .svg or .png file')),
    undefined,
    'File of the picture next to the product name, .svg or .png.',
  ),
  'pages.stylesheet': setting(
    optional(path('the path of a .css file')),
    undefined,
    'File of a stylesheet that is loaded after the built-in one, to set its variables.',
  ),
  'pages.templates': setting(
    optional(path('the path of a directory')),
    undefined,
    'Directory of templates that replace built-in templates of the same name.',
  ),
  'pages.locales': setting(
    optional(path('the path of a directory')),
    undefined,
    'Directory of texts, {language}.json, that replace built-in texts or add languages.',
  ),
  'pages.passwordHelp.text': setting(
    optional(textOrTexts(120)),
    undefined,
    'The line below the password field: a text, or an object of texts by language tags. Default: "Forgot your password?" in each language, if pages.passwordHelp.url is set.',
  ),
  'pages.passwordHelp.url': setting(
    optional(text('an https or mailto URL', isHelpUrl)),
    undefined,
    'Where that line leads: an https URL, or a mailto URL.',
  ),
  'pages.pictureHosts': setting(
    listOf(
      'host names such as cdn.example.com',
      textSchema('a host name, with :port if it is not 443', isHostWithPort),
    ),
    [],
    'Hosts from which pages show https pictures of clients. For pictures from other hosts, pages show a letter and send no request.',
  ),
  'pages.watch': setting(
    truth,
    false,
    'Read the files of pages again when they are saved, and list all pages in all states at /development/pages. Only for a server that no other machine reaches.',
  ),
  'pages.placeDatabase': setting(
    optional(path('the path of an .mmdb file')),
    undefined,
    'File in the MaxMind DB format (.mmdb), such as a database of cities. With it, "Your account" and the administration name town and country of the network address of each session. It is read at the start, and nothing is fetched.',
  ),
  'metrics.host': setting(
    text('a host name or an IP address', isHost),
    'localhost',
    'Host name or address of the port of the metrics, if they have one.',
  ),
  'metrics.port': setting(
    optional(wholeNumber(0, 65_535)),
    undefined,
    'TCP port on which only /metrics answers; the other port then does not have it. 0 = any free port. Default: /metrics is on the port of the server.',
  ),
  'metrics.token': setting(
    optional(secret(metricsTokenForm, isMetricsToken)),
    undefined,
    'Bearer token that a request of /metrics must have. Other users of the machine can read a flag, so use the variable or metrics.tokenFile.',
  ),
  'metrics.tokenFile': setting(
    optional(path('the path of a file')),
    undefined,
    'File with the bearer token that a request of /metrics must have, instead of metrics.token.',
  ),
  'tracing.endpoint': setting(
    optional(text('an http(s) URL without query, fragment and user', isOtlpEndpoint)),
    undefined,
    'URL of a receiver of OpenTelemetry traces by OTLP over HTTP, such as http://localhost:4318; the server adds /v1/traces. Default: OTEL_EXPORTER_OTLP_ENDPOINT of the environment; without both, no request is traced.',
  ),
  'tracing.ratio': setting(
    fraction,
    0.1,
    'Part of the traces that begin at this server of which the spans are sent, from 0 to 1.',
  ),
  'tracing.serviceName': setting(
    text('1 to 255 characters', isShortText(255)),
    'watchword',
    'Name of this server in traces. OTEL_SERVICE_NAME of the environment replaces the default.',
  ),
  'tracing.trustedCallers': setting(
    listOf(
      'IP addresses or ranges such as 10.0.0.0/8',
      textSchema('an IP address or range such as 10.0.0.0/8', isAddressRange),
    ),
    [],
    'Addresses of connections whose traceparent header is trusted: their traces go on here, and they decide whether spans are sent. From any other address, a trace begins here.',
  ),
  'log.format': setting(
    oneOf(['auto', 'json', 'text']),
    'auto',
    'Form of the log lines: json, text for people, or auto, which is text at a terminal and json elsewhere.',
  ),
  'log.level': setting(
    oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'silent']),
    'info',
    'Lowest level of the log lines that are written: fatal, error, warn, info, debug or silent. info has one line for each request.',
  ),
  'log.node': setting(
    optional(text('1 to 255 characters', isShortText(255))),
    undefined,
    'Name of this node in the lines of its log. Default: the host name of the machine.',
  ),
  'log.probes': setting(
    truth,
    true,
    'Write lines of the log for requests of /healthz, /readyz and /metrics; false leaves out those that get no error.',
  ),
} as const satisfies Record<string, Setting<never> | Setting<unknown>>;

export type SettingPath = keyof typeof settings;

export const settingPaths = Object.keys(settings) as SettingPath[];

/** The value of a setting as it can be shown: only a part if it can contain secrets. */
export function shownValue(path: SettingPath, configuration: Configuration): unknown {
  const value: unknown = configuration[path];
  const { kind }: Setting<unknown> = settings[path];
  if (kind.shown !== undefined && value !== undefined) return kind.shown(value);
  return typeof value === 'string' ? maskCredentials(value) : value;
}

/** The effective value of every setting. */
export type Configuration = {
  readonly [Path in SettingPath]: (typeof settings)[Path] extends Setting<infer Value> ? Value : never;
};

/** Variables of OpenTelemetry, for settings that no other source has. */
export const openTelemetryVariables: Readonly<Partial<Record<SettingPath, string>>> = {
  'tracing.endpoint': 'OTEL_EXPORTER_OTLP_ENDPOINT',
  'tracing.serviceName': 'OTEL_SERVICE_NAME',
};

/** `adminService.jsonTypeInfoIncluded` → `--admin-service-json-type-info-included` */
export function flagName(path: string): string {
  return namesOf(path).flag;
}

/** `adminService.jsonTypeInfoIncluded` → `WATCHWORD_ADMIN_SERVICE_JSON_TYPE_INFO_INCLUDED` */
export function environmentName(path: string): string {
  return namesOf(path).variable;
}

const namesByPath = new Map<string, Readonly<Record<'flag' | 'variable', string>>>();

/** Remembered: a start asks three times for the names of each setting. */
function namesOf(path: string) {
  const known = namesByPath.get(path);
  if (known !== undefined) return known;
  const words = path.replaceAll(/([A-Z])/g, '.$1').split('.');
  const names = {
    flag: `--${words.join('-').toLowerCase()}`,
    variable: `WATCHWORD_${words.join('_').toUpperCase()}`,
  };
  namesByPath.set(path, names);
  return names;
}
