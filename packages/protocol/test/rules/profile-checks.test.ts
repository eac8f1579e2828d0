import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Profile, profiles } from '../../src/model/profiles/profile.ts';
import type {
  FactsOf,
  ProfiledClient,
  ProfiledSettings,
  RequestKind,
} from '../../src/model/profiles/profile-rule.ts';
import { type ProfileRuleName, profileRules } from '../../src/model/profiles/profile-rules.ts';
import { addViolations, type ProfileChecks, profileChecks } from '../../src/rules/profile-checks.ts';
import { Violations } from '../../src/rules/registration.ts';

const client: ProfiledClient = {
  allowedHybrid: false,
  allowedImplicitGrant: false,
  redirectUris: ['https://app.example/cb'],
  confidential: true,
  tokenEndpointAuthMethod: 'private_key_jwt',
  dpopBoundAccessTokens: true,
  tokenEndpointAuthSigningAlg: '',
  idTokenSignedResponseAlg: '',
  userinfoSignedResponseAlg: '',
  authorizationSignedResponseAlg: '',
  requestObjectSigningAlg: '',
};
const resourceServer = { resources: ['https://api.example/'] };
const settings: ProfiledSettings = {
  baseUrl: 'https://id.example',
  'clients.metadataDocuments': 'on',
  'code.lifetime': 60,
  'refresh.graceStreak': 3,
  'refresh.publicGraceSeconds': 10,
  'scope.commaSeparated': false,
  'signing.algorithms': ['PS256'],
};
const aud = 'https://id.example';
const facts: { readonly [Kind in RequestKind]: FactsOf<Kind> } = {
  redirectUri: 'https://app.example/cb',
  authorization: {
    responseType: 'code',
    hasChallenge: true,
    namesResource: true,
    isOfAdministration: false,
    onlyAdministers: false,
    isPushed: true,
    namesRedirectUri: true,
  },
  token: { namesResource: true, isOfAdministration: false, onlyAdministers: false, isBound: true },
  client: { method: 'private_key_jwt', onlyAdministers: false },
  requestObject: { algorithm: 'ES256', claims: { aud, nbf: 1000, exp: 4600 } },
  code: { hasChallenge: true },
  assertion: { algorithm: 'ES256', audience: 'https://id.example', issuer: 'https://id.example' },
  tokenInfo: { hasTokenInQuery: false },
};

type Broken = (checks: ProfileChecks) => readonly string[];

const found = (findings: readonly { readonly rule: string }[]) => findings.map(({ rule }) => rule);
const ofClient =
  (change: Partial<ProfiledClient>): Broken =>
  (checks) =>
    found(checks.ofClient({ ...client, ...change }));
const ofSettings =
  (change: Partial<ProfiledSettings>): Broken =>
  (checks) =>
    found(checks.ofSettings({ ...settings, ...change }));
/** The error of the request, and its rule. */
const ofRequest =
  <Kind extends RequestKind>(kind: Kind, change: FactsOf<Kind>, error: string): Broken =>
  (checks) => {
    const of = typeof change === 'string' ? change : { ...(facts[kind] as object), ...(change as object) };
    const refused = checks.refusal(kind, of as FactsOf<Kind>);
    if (refused !== undefined) assert.equal(refused.kind, error);
    return refused === undefined ? [] : [refused.rule];
  };

type Breaking<Kind extends RequestKind> = FactsOf<Kind> extends string ? string : Partial<FactsOf<Kind>>;
const asked = <Kind extends RequestKind>(kind: Kind, change: Breaking<Kind>, error: string) =>
  ofRequest(kind, change as FactsOf<Kind>, error);

const strict: readonly Profile[] = ['oauth-2.1', 'mcp', 'fapi-2.0'];
const open: readonly Profile[] = ['oauth-2.1', 'mcp'];
const fapi: readonly Profile[] = ['fapi-2.0'];

/** Each rule, the profiles that have it, and what breaks it. */
const broken: Readonly<Record<ProfileRuleName, [readonly Profile[], ...Broken[]]>> = {
  profile_code_flow: [
    strict,
    ofClient({ allowedImplicitGrant: true }),
    ofClient({ allowedHybrid: true }),
    asked('authorization', { responseType: 'token' }, 'unsupported_response_type'),
    asked('authorization', { responseType: 'id_token' }, 'unsupported_response_type'),
    asked('authorization', { responseType: 'code id_token' }, 'unsupported_response_type'),
  ],
  profile_signed_request_objects: [
    strict,
    ofClient({ requestObjectSigningAlg: 'none' }),
    asked('requestObject', { algorithm: 'none' }, 'invalid_request_object'),
  ],
  profile_pkce: [
    strict,
    asked('authorization', { hasChallenge: false }, 'invalid_request'),
    asked('code', { hasChallenge: false }, 'invalid_grant'),
  ],
  profile_redirect_uri: [
    strict,
    ofClient({ redirectUris: ['http://app.example/cb'] }),
    ofClient({ redirectUris: ['https://*.app.example/cb'] }),
    asked('redirectUri', 'http://app.example/cb', 'invalid_request'),
  ],
  profile_web_redirect_uri: [
    ['mcp'],
    ofClient({ redirectUris: ['com.example.app:/cb'] }),
    asked('redirectUri', 'com.example.app:/cb', 'invalid_request'),
  ],
  profile_resource: [
    ['mcp'],
    asked('authorization', { namesResource: false }, 'invalid_target'),
    asked('token', { namesResource: false }, 'invalid_target'),
  ],
  profile_resource_uri: [['mcp'], (checks) => found(checks.ofResourceServer({ resources: [] }))],
  profile_token_in_body: [strict, asked('tokenInfo', { hasTokenInQuery: true }, 'invalid_request')],
  profile_https: [strict, ofSettings({ baseUrl: 'http://id.example' })],
  profile_replayed_refresh_tokens: [open, ofSettings({ 'refresh.graceStreak': 0 })],
  profile_scope_syntax: [open, ofSettings({ 'scope.commaSeparated': true })],
  profile_client_documents: [['mcp'], ofSettings({ 'clients.metadataDocuments': 'off' })],
  profile_client_keys: [
    fapi,
    ofClient({ confidential: false, tokenEndpointAuthMethod: 'none' }),
    ofClient({ tokenEndpointAuthMethod: 'client_secret_basic' }),
    asked('client', { method: 'none' }, 'invalid_client'),
    asked('client', { method: 'client_secret_basic' }, 'invalid_client'),
  ],
  profile_assertion: [
    fapi,
    asked('assertion', { audience: 'https://id.example/oauth2/token' }, 'invalid_client'),
    asked('assertion', { audience: ['https://id.example'] }, 'invalid_client'),
    asked('assertion', { algorithm: 'RS256' }, 'invalid_client'),
  ],
  profile_pushed_requests: [
    fapi,
    asked('authorization', { isPushed: false }, 'invalid_request'),
    asked('authorization', { namesRedirectUri: false }, 'invalid_request'),
  ],
  profile_bound_tokens: [
    fapi,
    ofClient({ dpopBoundAccessTokens: false }),
    asked('token', { isBound: false }, 'invalid_dpop_proof'),
  ],
  profile_algorithms: [
    fapi,
    ofSettings({ 'signing.algorithms': ['PS256', 'RS256'] }),
    ofClient({ idTokenSignedResponseAlg: 'RS256' }),
    ofClient({ authorizationSignedResponseAlg: 'RS256' }),
  ],
  profile_code_lifetime: [fapi, ofSettings({ 'code.lifetime': 61 })],
  profile_signed_request: [
    fapi,
    asked('requestObject', { algorithm: 'RS256' }, 'invalid_request_object'),
    asked('requestObject', { claims: { aud, exp: 4600 } }, 'invalid_request_object'),
    asked('requestObject', { claims: { aud, nbf: 1000 } }, 'invalid_request_object'),
    asked('requestObject', { claims: { aud, nbf: 1000, exp: 4601 } }, 'invalid_request_object'),
    asked('requestObject', { claims: { nbf: 1000, exp: 4600 } }, 'invalid_request_object'),
  ],
};

const checksOf = (profile: Profile) => profileChecks(profile) ?? assert.fail(profile);

describe('the rules of profiles', () => {
  for (const [rule, [having, ...breaks]] of Object.entries(broken)) {
    it(`${rule} is broken in ${having.join(' and ')}, and in no other profile`, () => {
      assert.ok(breaks.length > 0);
      for (const profile of strict) {
        for (const broken of breaks)
          assert.deepEqual(broken(checksOf(profile)), having.includes(profile) ? [rule] : [], profile);
      }
    });
  }

  it('are each of the profiles that have a section for them', () => {
    for (const [rule, [having]] of Object.entries(broken))
      assert.deepEqual(Object.keys(profileRules[rule as ProfileRuleName].sections), having, rule);
  });

  it('are kept by ordinary records, requests and settings', () => {
    for (const profile of strict) {
      const checks = checksOf(profile);
      const native = {
        ...client,
        redirectUris: ['http://127.0.0.1/cb', 'http://[::1]/cb', 'http://localhost/cb'],
      };
      for (const each of [client, native]) assert.deepEqual(checks.ofClient(each), []);
      assert.deepEqual(checks.ofResourceServer(resourceServer), []);
      assert.deepEqual(checks.ofSettings(settings), []);
      assert.deepEqual(checks.ofSettings({ ...settings, baseUrl: 'http://localhost:8080' }), []);
      const noGrace = { 'refresh.graceStreak': 0, 'refresh.publicGraceSeconds': 0 };
      assert.deepEqual(checks.ofSettings({ ...settings, ...noGrace }), []);
      for (const kind of Object.keys(facts) as RequestKind[])
        assert.equal(checks.refusal(kind, facts[kind] as never), undefined, kind);
    }
  });

  it('do not ask the clients that administer this server for a resource', () => {
    const own = { namesResource: false, isOfAdministration: true, onlyAdministers: false, isBound: true };
    assert.equal(checksOf('mcp').refusal('token', own), undefined);
    assert.equal(checksOf('mcp').authorizationRefusal({ ...facts.authorization, ...own }), undefined);
  });

  it('know Ed25519 as the newer name of EdDSA in fapi-2.0', () => {
    const checks = checksOf('fapi-2.0');
    for (const algorithm of ['EdDSA', 'Ed25519']) {
      assert.equal(checks.refusal('assertion', { ...facts.assertion, algorithm }), undefined, algorithm);
      assert.ok(
        checks.takesRequestObjects(algorithm) && checks.clientAlgorithms?.includes(algorithm),
        algorithm,
      );
    }
  });

  it('leave the clients that only administer this server as they are in fapi-2.0', () => {
    const checks = checksOf('fapi-2.0');
    const public_ = { ...client, confidential: false, dpopBoundAccessTokens: false } as const;
    assert.deepEqual(checks.ofClient(public_, true), []);
    const own = { onlyAdministers: true };
    assert.equal(checks.refusal('client', { method: 'none', ...own }), undefined);
    assert.equal(checks.refusal('token', { ...facts.token, isBound: false, ...own }), undefined);
    const asked = { ...facts.authorization, isPushed: false, ...own };
    assert.equal(checks.authorizationRefusal(asked), undefined);
  });

  it('do not exist in compatible', () => {
    assert.equal(profileChecks('compatible'), undefined);
    assert.deepEqual(profiles.slice(1), strict);
  });
});

describe('the command that mends a record', () => {
  it('keeps the redirect URIs that the profile permits, and asks for one if there is none', () => {
    const command = (...redirectUris: string[]) =>
      checksOf('mcp')
        .ofClient({ ...client, redirectUris })
        .map((finding) => finding.command);
    assert.deepEqual(command('com.example.app:/cb', 'http://app.example/cb'), [
      'watchword client update {client} --redirect-uri com.example.app:/cb',
      'watchword client update {client} --redirect-uri REDIRECT_URI',
    ]);
  });
});

describe('the command that mends a client of the authorization endpoint', () => {
  it('takes from it the one right that it has', () => {
    for (const [field, option] of [
      ['allowedImplicitGrant', 'allow-implicit-grant'],
      ['allowedHybrid', 'allow-hybrid'],
    ] as const) {
      const [finding] = checksOf('oauth-2.1').ofClient({ ...client, [field]: true });
      assert.equal(finding?.field, field);
      assert.equal(finding?.command, `watchword client update {client} --${option} false`);
    }
  });
});

describe('a registration under a profile', () => {
  const violations = (registration: typeof client, before?: typeof client) => {
    const checks = checksOf('oauth-2.1');
    const added = new Violations();
    addViolations(added, checks, checks.ofClient(registration), before && checks.ofClient(before));
    try {
      added.throwIfAny();
    } catch (error) {
      return (error as { violations: readonly string[] }).violations;
    }
    return [];
  };

  it('names the field, the profile, the rule and the section', () => {
    assert.deepEqual(violations({ ...client, allowedImplicitGrant: true }), [
      'allowedImplicitGrant: is true, but nobody can use the implicit grant (profile oauth-2.1, profile_code_flow: OAuth 2.1 (draft 16) §10.1, RFC 9700 §2.1.2)',
    ]);
  });

  it('keeps what the record had before the profile, and gets nothing more', () => {
    const old = { ...client, allowedImplicitGrant: true, redirectUris: ['http://app.example/cb'] };
    assert.deepEqual(violations(old, old), []);
    assert.deepEqual(violations({ ...old, redirectUris: [] }, old), []);
    const [problem = '', ...others] = violations(
      { ...old, redirectUris: [...old.redirectUris, 'http://b.example/'] },
      old,
    );
    assert.match(problem, /^redirectUris: has http:\/\/b\.example\//);
    assert.deepEqual(others, []);
  });
});
