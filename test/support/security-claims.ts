const server = 'packages/server/test/';
const attacks = `${server}attacks/`;
const protocol = 'packages/protocol/test/';
const administration = 'packages/administration/test/';
const cli = 'packages/cli/test/';
const conformance = 'packages/testkit/src/conformance/';

/** The tests that show the sentences of a paragraph, in the order of the sentences: a file, and the beginnings of names in it. */
type Tests = readonly (readonly [file: string, ...names: string[]])[];

/** By the bold text that begins a paragraph of "Security properties" in SECURITY.md. */
export const securityClaims: Readonly<Record<string, Tests>> = {
  'Secrets and tokens are stored as digests only.': [
    [
      `${protocol}clients/machine-secret.test.ts`,
      'are a recognizable prefix and 256 random bits',
      'are stored as SHA-256 only',
    ],
    [`${protocol}tokens/bearer-value.test.ts`, 'has a verifier of 256 random bits'],
    [
      `${server}administration/administered-tokens.test.ts`,
      'are issued in the name of the caller, and shown once',
    ],
    [
      `${server}accounts/account-records.test.ts`,
      'are created without a password, with a reset link that only this answer has',
    ],
    [`${attacks}secrets-at-rest.test.ts`, 'contain no token, code, cookie, link, secret or password'],
    [`${attacks}administration/administration.test.ts`, 'AD-15: no list and no record contains a secret'],
    [
      `${cli}records/weak-secrets.test.ts`,
      'is refused, with the ways out',
      'is stored as argon2id where it is allowed',
    ],
    [`${cli}records/weak-secrets.test.ts`, 'answers guesses as for an unknown client, then slows them down'],
  ],
  'Mail shows nothing to others, and leads nowhere else.': [
    [
      'packages/accounts/test/outgoing-mail.test.ts',
      'shows neither its address nor its link, and is opened with the keys of the server',
    ],
    [
      `${server}mail/sent-mail.test.ts`,
      'keeps a mail that the mail server does not take yet, and gives up one that it refuses for good',
    ],
    [
      'packages/mail/test/transport.test.ts',
      'is not sent to ',
      'gets no header and no recipient from its subject',
    ],
    [`${server}mail/sent-mail.test.ts`, 'has links of its base URL alone, whatever host a request names'],
    [`${server}mail/rendered-mail.test.ts`, 'has no link that begins with '],
    [
      'packages/mail/test/transport.test.ts',
      'requires TLS, except on this machine, and has no password',
      'tells no password to a server that offers no TLS',
    ],
  ],
  'No account waits for its owner.': [
    [
      `${server}accounts/sign-up.test.ts`,
      'makes an account, which is no administrator, once its address is confirmed, and none before',
      'belongs to the browser that asked',
      'answers the same whether the address has an account or not, and tells its owner alone',
      'makes one account of many forms at the same time',
    ],
  ],
  'A mailed link opens an account only in the browser that asked for it.': [
    [
      `${server}accounts/forgotten-password.test.ts`,
      'is replaced with the link of a mail, in the browser that asked for it, once',
      'is not reset with a link after the address',
      'takes five codes for a mail',
      'gets the same answer for every name',
      'lets a network wait that asks again and again',
    ],
    [`${conformance}people/person-links.ts`, 'lets one of many callers redeem a link'],
  ],
  'An e-mail address of a local account is verified by an administrator or by a mailed link.': [
    [
      `${administration}accounts/account-claims.test.ts`,
      'are kept as administrators set them, and are not known before',
      'are not verified with another address or number, unless the same change says so',
    ],
    [
      `${server}accounts/account-claims.test.ts`,
      'are shown to the user at the account page',
      'can be the same at two accounts',
    ],
    [
      `${server}accounts/change-address.test.ts`,
      'is confirmed at the new with a link, in the browser that asked, once, and told to the old',
      'needs the current password, with the limits of a login',
      'is not confirmed after the account has changed',
    ],
  ],
  'Passwords of users are hashed slowly.': [
    [
      `${server}modules/password-hasher.test.ts`,
      'is argon2id in PHC string form, at the recommended cost or more',
    ],
    [
      `${server}modules/imported-hashes.test.ts`,
      'is replaced by a hash of this server at the first right login',
      'that would cost a login more than about a second is refused',
      'costs what the login of an account costs, always the same one for a name',
    ],
    [`${server}accounts/user-command.test.ts`, 'exits 2 on wrong usage, also for a password as an argument'],
    [`${cli}command/hidden-input.test.ts`, 'stays hidden after Ctrl-Z', 'is asked for again, and hidden, '],
    [
      `${cli}records/accounts.test.ts`,
      'creates an account without a password, and prints a reset link',
      'sends no password',
    ],
    [
      `${server}accounts/set-password.test.ts`,
      'sets the password once',
      'ends after an hour',
      'is redeemed by one of two browsers',
    ],
    [`${server}accounts/user-command.test.ts`, 'ends sessions and tokens with every change'],
    [
      `${server}accounts/change-password.test.ts`,
      'keeps this session under a new id',
      'ends the access of applications while',
    ],
  ],
  'Comparisons reveal nothing.': [
    ['test/security-claims.test.ts', 'are compared in constant time'],
    [
      `${protocol}clients/authenticate-client.test.ts`,
      'answers an unknown client and a wrong secret with the same error',
    ],
    [`${protocol}clients/slow-secrets.test.ts`, 'is wrong with the same answer as an unknown client'],
    [
      `${protocol}endpoints/token-info.test.ts`,
      'token info answers token_not_found',
      'for garbage without asking the store',
    ],
    [
      `${attacks}tokens/jwt-access-tokens.test.ts`,
      'JA-7: a token of another resource server is refused, as if it did not exist',
    ],
    [
      `${protocol}endpoints/revocation.test.ts`,
      'leaves a foreign token untouched, and answers like after a revocation',
    ],
  ],
  'The log contains no secret.': [
    [
      `${server}runtime/health.test.ts`,
      'writes one line for each request, and no secret, token or query into log or database',
    ],
    [`${attacks}administration/administration.test.ts`, 'LG-1: the log contains no secret and no token'],
    [`${attacks}secrets-at-rest.test.ts`, 'contain no token, code, cookie, link, secret or password'],
    [
      `${attacks}requests/repeated-values.test.ts`,
      'repeats no value of a parameter',
      'repeats no credentials',
    ],
    [
      `${server}logs/security-log.test.ts`,
      'is in the log with the client and a keyed digest of the account name, never the name',
    ],
    [
      `${cli}records/commands.test.ts`,
      'changes a running server without a restart: new clients, issued and revoked tokens',
    ],
  ],
  'Cookies and forms are bound to one browser.': [
    [
      `${administration}tokens/tokens-of-pages.test.ts`,
      'ends with its login session, in every answer, and no token of another client does',
    ],
    [
      `${attacks}logins/login-and-consent.test.ts`,
      'LC-10: sets cookies that no script reads and no other site sends',
    ],
    [
      `${attacks}logins/login-and-consent.test.ts`,
      'LC-10: sets cookies that are bound to the host where the base URL is https',
    ],
    [
      `${attacks}logins/cookie-tossing.test.ts`,
      'is rejected beside the real one',
      'logs no user in without the binding cookie',
    ],
    [
      `${server}http/browser-cookies.test.ts`,
      'have other names where one server is below the path of another',
    ],
    [
      `${attacks}logins/kept-out.test.ts`,
      'who plants a second cookie takes the known device away, and no more',
    ],
    [
      `${attacks}logins/login-and-consent.test.ts`,
      'LC-1: needs the cookie',
      'LC-2: rejects a form that another browser got',
    ],
    [
      `${protocol}authorize/late-pages.test.ts`,
      'of a login logs nobody in',
      'of a consent gives no access and remembers nothing',
    ],
    [
      `${attacks}logins/login-and-consent.test.ts`,
      'LC-9: starts a session under a new id',
      'LC-9: ends the session at the logout',
    ],
  ],
  'Codes and refresh tokens are used once.': [
    [
      `${attacks}requests/authorization-code.test.ts`,
      'CD-1: is redeemed once; a replay revokes',
      'CD-2: is redeemed by exactly one',
    ],
    [`${attacks}tokens/refresh.test.ts`, 'RT-1: is used once; a replay revokes its whole token family'],
    [
      `${attacks}tokens/refresh-grace.test.ts`,
      'RT-3: has the same answer twice only',
      'RT-3: revokes its grant once its successor was used',
    ],
    [
      `${attacks}tokens/refresh-grace.test.ts`,
      'RT-12: shared with an attacker who repeats every rotation is revoked with the third',
    ],
    [`${attacks}tokens/refresh.test.ts`, 'RT-9: expires at the end of its token family, with any use'],
  ],
  'Consent belongs to one user, and is given once.': [
    [
      `${attacks}logins/consent-answers.test.ts`,
      'is accepted once when many are sent at the same time',
      'is a denial when it contains both',
    ],
    [
      `${attacks}logins/consent-of-another-person.test.ts`,
      'LC-7: becomes a question to the user who is logged in now',
    ],
    [
      `${protocol}authorize/restart-reasons.test.ts`,
      'is told that another user, or the same one, has logged in meanwhile',
    ],
  ],
  'The server is no open redirector.': [
    [
      `${attacks}requests/authorization-request.test.ts`,
      'AR-1: of an unknown client is answered by a page',
      'AR-2: with an unregistered',
    ],
    [
      `${attacks}requests/open-redirect.test.ts`,
      'is a page that shows the target, and redirects only when the user continues',
    ],
    [
      `${attacks}requests/open-redirect.test.ts`,
      'redirects to the client at once where an administrator trusts it',
    ],
    [
      `${attacks}requests/authorization-request.test.ts`,
      'AR-3: needs its redirect URI exactly',
      'AR-3: can vary the port of a loopback host',
    ],
    [
      `${attacks}requests/authorization-request.test.ts`,
      'AR-3: of the administration pages cannot vary the port',
    ],
    [
      `${attacks}requests/authorization-request.test.ts`,
      'AR-14: of a public client needs a code_challenge with S256',
    ],
    [`${attacks}requests/open-redirect.test.ts`, 'redirects to the client at once with prompt=none'],
  ],
  'Pages run no foreign code and contact no other host.': [
    [
      `${attacks}requests/authorization-request.test.ts`,
      'AR-17: is answered by pages that no other page can frame',
    ],
    [
      `${server}pages/pages.test.ts`,
      'has no inline script, no inline style, no handler, and nothing from another host',
    ],
    [
      `${attacks}logins/login-and-consent.test.ts`,
      'LC-12: shows no picture from a host',
      'LC-11: shows external text as text',
    ],
    [
      `${attacks}logins/opener.test.ts`,
      'has no access to the window that opened it',
      'has none when it shows an error',
    ],
    [
      `${server}modules/module-documents.test.ts`,
      'has the headers of the server',
      'can use the sources that it names, this server, and no',
    ],
    [
      `${server}logout/front-channel.test.ts`,
      'is off unless the operator switches it on',
      'permits these frames in the',
    ],
  ],
  'A failing module does not affect other requests.': [
    [
      `${server}modules/module-failures.test.ts`,
      'is ended after 30 s with a page',
      'delays no other request, and no later login',
    ],
    [
      `${server}modules/module-failures.test.ts`,
      'ends the login with a page, a log line with its name, and a count',
    ],
  ],
  'Other sites cannot end a login.': [
    [`${attacks}requests/posted-requests.test.ts`, 'leaves '],
    [
      `${attacks}head-requests.test.ts`,
      'is answered where GET only reads',
      'issues no code for a user who is logged in',
    ],
  ],
  'A SAML assertion is accepted once, and only its signed content is used.': [
    [
      'packages/saml/test/replay.test.ts',
      'is rejected in the same browser',
      'is accepted by one of several nodes',
    ],
    [
      'packages/saml/test/assertion-attacks.test.ts',
      'is rejected with a ',
      'is rejected without a signature',
    ],
    [
      'packages/saml/test/assertion-attacks.test.ts',
      'is rejected with ',
      'is rejected when it answers a request of another browser',
    ],
    [
      'packages/saml/test/assertion-attacks.test.ts',
      'is rejected with another audience',
      'is rejected when it has expired',
    ],
    ['packages/saml/test/assertion-attacks.test.ts', 'is not read as another name when a value has elements'],
    [
      'packages/saml/test/assertion-attacks.test.ts',
      'is rejected with RSA and SHA-1',
      'is accepted with SHA-1 when the operator allows',
    ],
    ['packages/saml/test/algorithms.test.ts', 'is rejected ', 'by ECDSA with '],
  ],
  'A login at an OpenID Connect provider is for this browser, and by that provider.': [
    [
      'packages/upstream/test/attacks.test.ts',
      'is not finished by a browser that did not begin it',
      'accepts an ID token by every rule of OpenID Connect Core',
    ],
    ['packages/upstream/test/attacks.test.ts', 'is another user for every sub'],
    ['packages/upstream/test/config-plan.test.ts', 'oidcc-client-test-signing-key-rotation: '],
  ],
  'Outbound requests do not reach private networks.': [
    [
      'packages/outbound/test/addresses.test.ts',
      'does not go to the address ',
      'goes to the private addresses of the hosts that',
    ],
    [
      'packages/outbound/test/answers.test.ts',
      'with more bytes than the caller accepts',
      'that does not end in time is cancelled',
    ],
    ['packages/outbound/test/requests.test.ts', 'is an answer with status and Location'],
    [
      `${attacks}logins/logout.test.ts`,
      'go to no private address that the configuration does not name',
      'follow no redirect',
    ],
    [
      `${server}modules/module-services.test.ts`,
      'asks another server where the operator permits it, and no private address else',
    ],
    [`${server}administration/openid-records.test.ts`, 'is not requested at an address that is not public'],
  ],
  'A module that accepts every user is not exposed by mistake.': [
    [
      `${attacks}logins/login-and-consent.test.ts`,
      'LC-16: with a module that accepts every user does not start where others can connect',
    ],
  ],
  'A page of another site cannot read a server on the machine of a developer.': [
    [
      `${attacks}clients/dns-rebinding.test.ts`,
      'refuses a request for a foreign host with 421, except at the addresses of probes',
    ],
    [
      `${attacks}clients/dns-rebinding.test.ts`,
      'answers for every loopback host',
      'refuses foreign hosts if one of its modules is for',
    ],
  ],
  'The demo is for loopback only.': [
    [
      `${server}start/demo.test.ts`,
      'fills an empty database with the records of the README, once',
      'rejects every host and base URL that',
    ],
    [
      `${server}start/demo.test.ts`,
      'keeps a server that others can reach from starting with records whose secrets are public',
    ],
    [
      `${attacks}logins/demo-people.test.ts`,
      'are none of the names that a user types',
      'are not offered, and not logged in, for another host or through a proxy',
      'are at no database without the demo',
    ],
  ],
  'Tokens of an identity provider that is no longer configured are not valid.': [
    [
      `${server}modules/identity-providers.test.ts`,
      'rejects tokens and sessions of the old users',
      'accepts no administrator of the',
    ],
    [
      'packages/saml/test/configured.test.ts',
      'is one in the last valid copy of the metadata, until a newer copy lacks it',
    ],
  ],
  'A second factor is asked after any first one, and used once.': [
    [
      'packages/accounts/test/factors/second-factor.test.ts',
      'asks whoever has one after the first factor, and logs nobody in before',
      'accepts the codes of one time step once',
      'leads to the other ways, and accepts a recovery code once',
      'does not open the secret of another row',
    ],
    [
      `${attacks}logins/pending-sessions.test.ts`,
      'is worth nothing at any address',
      'answers no page that was shown before',
    ],
    [
      `${server}nodes/factors.ts`,
      'accepts a one-time code and a recovery code once',
      'adds a passkey, and logs in with it, where another node began, and takes each answer once',
    ],
    [
      `${server}accounts/factor-policy.test.ts`,
      'is not what the parameters of a request or of a form say, nor an identity provider by the same word',
    ],
    [
      `${server}modules/factor-limits.test.ts`,
      'are about a hundred a day',
      'do not delay the owner',
      'delay nobody else, and no recovery code of the owner',
    ],
    ['packages/accounts/test/factors/recovery-codes.test.ts', 'are stored as digests only'],
    [
      `${server}accounts/second-factors.test.ts`,
      'is refused to a session that has not proved a second factor',
      'by a mail, or by a link of an administrator, neither skips nor removes a factor',
    ],
  ],
  'Guessing is limited, and keeps no user out.': [
    [
      `${server}accounts/passkey-login.test.ts`,
      'slows down a network that tries many, and never who has the passkey',
    ],
    [
      `${server}modules/login-attempts.test.ts`,
      'has longer and longer waits',
      'at one account are at most a hundred an hour',
    ],
    [
      `${server}modules/login-attempts.test.ts`,
      'count for the whole /64 of an IPv6 address',
      'from one /48 leave attempts at the account',
    ],
    [
      `${server}modules/login-attempts.test.ts`,
      'at many accounts from one address slow down that address',
      'from one /48 at many',
    ],
    [
      `${attacks}logins/kept-out.test.ts`,
      'slows down new devices at an address for at most ten seconds each, and no device that is',
    ],
    [
      `${attacks}logins/kept-out.test.ts`,
      'who knew an earlier password has no device',
      'is for this server only, for a year',
    ],
    [
      `${server}runtime/failed-attempts.test.ts`,
      'are answered 429 above the limit of an identifier',
      'cannot be moved to another address',
    ],
    [
      `${server}http/request-targets.test.ts`,
      'is reported once as that of a proxy that may be missing in trustedProxies',
    ],
  ],
  'A name alone gives no rights.': [
    [
      `${attacks}administration/administration.test.ts`,
      'AD-10: a name in other letters, of another identity provider, or of a client is an unknown',
    ],
    [
      `${attacks}administration/administration.test.ts`,
      'AD-3: a record of another user is 404',
      'AD-11: only adminPrincipal makes an administrator',
    ],
    [
      `${attacks}administration/administration.test.ts`,
      'AD-1: without a valid token',
      'AR-18: scripts of other origins read nothing',
    ],
    [
      `${attacks}administration/administration.test.ts`,
      'AD-11: no caller prolongs the token',
      'AD-11: no chain of tokens for administration',
    ],
    [
      `${server}administration/audit-log.test.ts`,
      'has every change',
      'is written together with the change: without the event, nothing changes',
    ],
  ],
  'Logins are audited.': [
    [
      `${server}accounts/login-events.test.ts`,
      'has a login and a grant with the user, the address',
      'has a withdrawal and a logout',
    ],
    [`${conformance}logins/login-events.ts`, 'stores no event for an action that failed'],
  ],
  'No record owner can fill the server.': [
    [
      `${attacks}administration/owner-limits.test.ts`,
      'can have no more records, with any number of creations at once',
      'can make no more changes',
    ],
    [
      `${conformance}people/owner-limits.ts`,
      'counts a record in the transaction that creates it',
      'does not count a failed change',
    ],
    [
      `${server}administration/audit-log.test.ts`,
      'is in the log too, one line a change, with the names of the changed fields and not the record',
    ],
  ],
  'A trusted client is the client that an administrator checked.': [
    [`${server}clients/client-trust.test.ts`, 'ends by a ', 'is restored by an administrator who confirms'],
    [
      `${protocol}authorize/authorization-flow.test.ts`,
      'asks for consent for a public client that skips it where any program can listen',
    ],
    [
      `${attacks}logins/login-and-consent.test.ts`,
      'LC-15: asks every time for a public client at an address that any application can',
    ],
  ],
  'An application that nobody checked cannot pass for another.': [
    [
      `${administration}callers/registration-right.test.ts`,
      'belongs to everyone when there is no setting',
      'belongs to ',
    ],
    [
      `${attacks}clients/unconfirmed-clients.test.ts`,
      'is named on the login page and the consent page, beside the host, and both say that nobody checked it',
      'gets no address to which a user can be written, in any answer of OpenID Connect',
      'has an API that token info tells all attributes of the user',
      'gets the data once an administrator confirmed it, and loses it with the next change of a redirect URI',
    ],
    [`${protocol}grants/unconfirmed-clients.test.ts`, 'keeps no such data of its tokens when the trust ends'],
  ],
  'Acknowledged writes are durable.': [
    [
      `${server}runtime/durability.test.ts`,
      'a kill -9 under load loses no token that was answered, and makes no revoked token valid',
    ],
    [`${protocol}endpoints/revocation.test.ts`, 'is not acknowledged when the store rejects the write'],
    [
      `${attacks}tokens/revocation.test.ts`,
      'RV-4: that cannot be stored is answered 503, and can be repeated',
    ],
  ],
  'A restored backup does not restore revoked tokens.': [
    [
      `${cli}database/restore.test.ts`,
      'says that it revokes the tokens of the backup, does so, and names the records whose secrets are in it',
    ],
    [
      'packages/store-sql/test/sqlite/restore.test.ts',
      'revokes all records that were possibly revoked since the backup',
    ],
  ],
  'A user has a subject that no other user inherits.': [
    [
      `${protocol}keys/subject.test.ts`,
      'is the HMAC-SHA-256 of length-prefixed identity provider, kind and identifier in UTF-8',
    ],
    [
      `${server}accounts/account-records.test.ts`,
      'are deleted with everything, and an account of the same name has another subject',
    ],
    [
      `${server}accounts/subjects.test.ts`,
      'neither shows nor withdraws the grants of a former holder of the name',
    ],
  ],
  'An e-mail address alone never opens an account.': [
    [
      'packages/upstream/test/linking.test.ts',
      'alone never opens an account',
      'needs a login that is not older than ten minutes',
      'does nothing until the person agrees, and nothing in another browser',
      'links',
      'of an administrator does not link',
      'links one person at once to one account, and one account to one person',
    ],
  ],
  'Input is read strictly.': [
    [
      `${attacks}requests/authorization-request.test.ts`,
      'AR-9: can have each parameter once',
      'AR-9: without strict encoding is answered by',
    ],
    [`${protocol}clients/presented-credentials.test.ts`, 'must not come by two methods, equal or not'],
    [
      `${attacks}requests/authorization-request.test.ts`,
      'is answered by a page when it is larger than the limit',
    ],
    [`${server}http/http-layer.test.ts`, 'rejects an endless chunked body at 64 KiB'],
    [
      `${attacks}requests/open-redirect.test.ts`,
      'passes on nothing that looks like a part of the page, and no state of two',
    ],
    // A bound of processor time, which no test can hold on a loaded machine.
    ['bench/suites/anonymous.ts'],
    [
      `${attacks}administration/administration.test.ts`,
      'AR-7: a redirect URI that can run a script or leak a code is rejected on creation and on',
    ],
    [
      `${server}accounts/addresses.test.ts`,
      'are permitted at the token and revocation endpoints for the origins of public clients',
    ],
    [
      `${server}accounts/addresses.test.ts`,
      'can be read by scripts of every origin',
      'are not permitted for other origins',
      'are permitted from any',
    ],
    [`${server}openid/userinfo.test.ts`, 'answers scripts of the origins of public clients, on errors too'],
    [`${server}openid/discovery.test.ts`, 'publishes its keys for scripts of every origin'],
  ],
};

/** By the first words of each point of "Your part". A point without tests promises nothing about the server. */
export const operatorClaims: Readonly<Record<string, Tests>> = {
  'Put TLS in front': [
    [`${server}logs/log-text.test.ts`, 'a start warns of a base URL of plain http that is not loopback'],
  ],
  'Protect the database file': [
    [`${attacks}secrets-at-rest.test.ts`, 'contain no token, code, cookie, link, secret or password'],
    [`${cli}command/process.test.ts`, 'makes databases that no other user of the system can read'],
    [
      'packages/store-sql/test/sqlite/backup.test.ts',
      'contains all writes that resolved before it, is valid, and is one file for this',
    ],
  ],
  'Every user of the system': [],
  'Commands and servers that root starts': [
    [
      `${cli}records/owners.test.ts`,
      'cannot be led to files of root by a link',
      'read a backup of root',
      'are a server with no rights but those',
    ],
    [
      'packages/store-sql/test/sqlite/owners.test.ts',
      'has the rights of the owner of a directory and no others',
      'acts as the owner of a link or a directory on the way',
    ],
    [
      'packages/store-sql/test/sqlite/server-lock.test.ts',
      'no lock is made or written behind a symbolic link',
    ],
  ],
  'Over PostgreSQL': [
    ['packages/store-sql/test/postgresql/open-errors.slow.test.ts', 'for TLS that is wanted and missing'],
    ['test/postgresql-guide.test.ts'],
  ],
  '`/healthz` and `/readyz`': [
    [
      `${server}logs/metrics.test.ts`,
      'answer 401 to a request without the token',
      'answer there and not at the port of the server',
    ],
  ],
  '`GET /v1/tokeninfo`': [
    [
      `${server}tokens/token-info.test.ts`,
      'returns the resource owner of a token, with exactly the keys of the contract, to GET and',
    ],
  ],
  'An API that caches token info': [
    [
      'packages/resource-server/test/tokens/token-cache.test.ts',
      'uses a successful answer for ttl and not a millisecond longer',
    ],
  ],
  'With `purge.retention`': [
    ['packages/store-sql/test/purge/purge.test.ts', 'keeps an expired token for the retention'],
    [`${server}tokens/token-info.test.ts`, 'returns the absolute expiry in epoch milliseconds'],
  ],
};
