import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { operationRights, rights } from '@watchword/administration';
import { startAccountServer } from '@watchword/server-testkit/servers/account-server';
import {
  type Administering,
  type AdministrationServer,
  anApi,
  anApp,
  startAdministration,
} from '@watchword/server-testkit/servers/administration';
import { type Answer, startServer } from '@watchword/server-testkit/servers/server';
import { sessionFactory } from '@watchword/testkit';
import { testKey } from '@watchword/testkit/certificate';
import { entityXml } from '@watchword/testkit/saml-metadata';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

interface Described {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly security: readonly { readonly bearer: readonly string[] }[];
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly schema: object } } };
  readonly responses: Readonly<
    Record<
      string,
      {
        readonly headers?: object;
        readonly content?: { readonly 'application/json': { readonly schema: Shape } };
        readonly $ref?: string;
      }
    >
  >;
}

/** The members that a schema requires of a value. */
interface Shape {
  readonly $ref?: string;
  readonly items?: Shape;
  readonly properties?: Readonly<Record<string, Shape>>;
}

describe('the OpenAPI document', () => {
  let server: AdministrationServer;
  let root: Administering;
  // biome-ignore lint/suspicious/noExplicitAny: read as JSON
  let document: any;
  let ajv: Ajv2020;
  const exercised = new Set<string>();

  before(async () => {
    server = await startAdministration();
    root = await server.administrator();
    document = (await server.get('/admin/openapi.json')).json;
    // Most schemas check one value: making their code shorter takes longer than running it.
    const cheap = { code: { optimize: false }, inlineRefs: false, validateSchema: false };
    ajv = new Ajv2020({ strict: false, validateFormats: false, ...cheap });
    ajv.addSchema({ ...document, $id: 'document' });
  });
  after(() => server[Symbol.asyncDispose]());

  const schemaAt = (...path: string[]): ValidateFunction => {
    const pointer = path.map((part) => part.replaceAll('~', '~0').replaceAll('/', '~1')).join('/');
    return ajv.getSchema(`document#/${encodeURI(pointer)}`) ?? assert.fail(`no schema at ${pointer}`);
  };

  function assertFits(validate: ValidateFunction, value: unknown, what: string): void {
    assert.ok(validate(value), `${what}: ${ajv.errorsText(validate.errors)} ${JSON.stringify(value)}`);
  }

  /** A field in an answer that the document does not describe would be missing in every typed client. */
  function assertDescribed(schema: Shape, value: unknown, what: string): void {
    const { $ref, items, properties } = schema;
    if ($ref !== undefined) {
      assertDescribed(document.components.schemas[$ref.split('/').at(-1) ?? ''], value, what);
    } else if (items !== undefined) {
      for (const item of value as unknown[]) assertDescribed(items, item, what);
    } else if (properties !== undefined) {
      for (const [name, member] of Object.entries(value as object)) {
        assertDescribed(properties[name] ?? assert.fail(`${what} has ${name}`), member, what);
      }
    }
  }

  /** Calls an operation as the document describes it, and checks request and answer against the document. */
  async function exercise(
    method: string,
    path: string,
    parameters: Record<string, unknown>,
    body?: unknown,
    query = '',
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const operation: Described =
      document.paths[path]?.[method.toLowerCase()] ?? assert.fail(`${method} ${path}`);
    exercised.add(operation.operationId);
    const address = path.replaceAll(/\{(\w+)\}/g, (_, name) => String(parameters[name]));
    const at = ['paths', path, method.toLowerCase()];
    if (body !== undefined) {
      assertFits(
        schemaAt(...at, 'requestBody', 'content', 'application/json', 'schema'),
        body,
        `the body of ${method} ${path}`,
      );
    }
    const answer = await root.call(method, `${address}${query}`, body, headers);
    const described =
      operation.responses[answer.status] ??
      assert.fail(`${method} ${path} does not say ${answer.status}: ${answer.text}`);
    for (const [index, { name, in: place }] of (operation.parameters ?? []).entries()) {
      if (place !== 'path' || answer.status === 404) continue;
      const schema = schemaAt(...at, 'parameters', String(index), 'schema');
      assertFits(schema, parameters[name], `the ${name} of ${method} ${path}`);
    }
    if (answer.status >= 400) {
      assertFits(schemaAt('components', 'schemas', 'Error'), answer.json, `an error of ${method} ${path}`);
      return answer;
    }
    if (described.content === undefined) assert.equal(answer.text, '');
    else {
      const schema = schemaAt(
        ...at,
        'responses',
        String(answer.status),
        'content',
        'application/json',
        'schema',
      );
      assertFits(schema, answer.json, `the answer to ${method} ${path}`);
      const { content } = described;
      assertDescribed(content['application/json'].schema, answer.json, `the answer to ${method} ${path}`);
    }
    for (const name of Object.keys(described.headers ?? {})) {
      if (name !== 'Link' && name !== 'X-Total-Count')
        assert.ok(answer.headers.get(name), `${method} ${path} lacks ${name}`);
    }
    return answer;
  }

  it('is valid OpenAPI 3.1, without a login', async () => {
    const validator = new Validator();
    const result = await validator.validate(structuredClone(document));
    assert.deepEqual(result.valid || result.errors, true);
    assert.match(document.openapi, /^3\.1\./);
    assert.equal(validator.version, '3.1');
    assert.deepEqual(document.servers, [{ url: server.service.baseUrl }]);
  });

  it('describes each operation under a unique id, with the scope that it needs', () => {
    const operations = Object.values<Record<string, Described>>(document.paths).flatMap((methods) =>
      Object.entries(methods),
    );
    const ids = operations.map(([, { operationId }]) => operationId);
    assert.equal(new Set(ids).size, ids.length);
    for (const [method, { operationId, security }] of operations) {
      // Its POST reads: the token must not be in an address.
      const isRead = method === 'get' || operationId === 'lookUpAccessToken';
      assert.deepEqual(security, [{ bearer: [isRead ? 'read' : 'write'] }]);
    }
  });

  it('describes the behaviour: every endpoint accepts and answers what the document has, with success and with errors', async () => {
    const server1 = '/admin/resourceServer';
    const one = `${server1}/{id}`;
    const clients = `${server1}/{resourceServerId}/client`;
    const client = `${clients}/{id}`;

    await exercise('GET', `${server1}/principal`, {});
    await exercise('GET', '/admin/registration', {});
    const { json: api } = await exercise('POST', server1, {}, anApi);
    const { json: another } = await exercise('PUT', server1, {}, { ...anApi, name: 'Other' });
    await exercise('POST', server1, {}, { ...anApi, name: 'Other' });
    await exercise('GET', server1, {}, undefined, '?q=o&limit=1');
    await exercise('GET', server1, {}, undefined, '?limit=0');
    const { json: whole, headers } = await exercise('GET', one, api);
    const etag = headers.get('etag') ?? '';
    await exercise('PUT', one, api, { ...whole, description: 'x' }, '', { 'if-match': etag });
    await exercise('PUT', one, api, whole, '', { 'if-match': etag });
    await exercise('POST', one, api, anApi);
    await exercise('PATCH', one, api, { description: null });
    await exercise('GET', one, { id: 999_999 });
    await exercise('POST', `${one}/secret`, api, { overlap: 5 });
    await exercise('POST', `${one}/secret`, api);

    const below = { resourceServerId: api.id };
    const { json: app } = await exercise('POST', clients, below, { ...anApp, allowedClientCredentials: 1 });
    const full = {
      ...anApp,
      clientName: 'Full',
      redirectUris: ['https://a.example/cb'],
      allowedImplicitGrant: true,
      attributes: { a: 'b' },
      expireDuration: 60,
    };
    const { json: web } = await exercise('PUT', clients, below, full);
    assert.equal(web.secret, undefined);
    await exercise('GET', clients, below, undefined, '?q=full');
    await exercise('GET', '/admin/client', {}, undefined, '?q=night&limit=1');
    await exercise('GET', '/admin/client', {}, undefined, '?limit=0');
    const address = { ...below, id: app.id };
    const { json: record } = await exercise('GET', client, address);
    await exercise('PUT', client, address, record);
    await exercise('POST', client, address, anApp);
    await exercise('PATCH', client, address, { attributes: { a: null, b: 'c' }, scopes: ['read', 'write'] });
    await exercise('POST', `${client}/confirmation`, address);
    await exercise('POST', `${client}/confirmation`, address, undefined, '', { 'if-match': '"0"' });
    await exercise('POST', `${client}/secret`, address);
    await exercise('POST', `${client}/secret`, { ...below, id: web.id });
    const secrets = `${client}/secrets`;
    const { json: second } = await exercise('POST', secrets, address, { description: 'x', expires: 4e12 });
    await exercise('POST', secrets, address, { expires: 1 });
    await exercise('GET', secrets, address, undefined, '?limit=1');
    await exercise('GET', secrets, address, undefined, '?limit=0');
    await exercise('PATCH', `${secrets}/{secretId}`, { ...address, secretId: second.id }, { expires: null });
    await exercise('DELETE', `${secrets}/{secretId}`, { ...address, secretId: second.id });
    await exercise(
      'DELETE',
      `${secrets}/{secretId}`,
      { ...address, secretId: second.id },
      undefined,
      '?last=true',
    );

    const openness = { resources: ['https://api.example'], openToClients: 'everyone', openScopes: ['read'] };
    await exercise('PATCH', one, api, openness);
    await exercise('PATCH', one, another, { resources: ['https://API.example/'] });
    await exercise('GET', '/admin/openResourceServer', {}, undefined, '?q=o&limit=1');
    await exercise('GET', '/admin/openResourceServer', {}, undefined, '?limit=0');
    await exercise('GET', '/admin/lint', {}, undefined, '?profile=mcp&limit=1');
    await exercise('GET', '/admin/lint', {}, undefined, '?profile=compatible');
    const otherResourceServers = [{ resourceServerId: api.id, scopes: ['read'] }];
    const elsewhere = { resourceServerId: another.id };
    const { json: guest } = await exercise('POST', clients, elsewhere, { ...anApp, otherResourceServers });
    const others = `${server1}/{resourceServerId}/otherClient`;
    await exercise('GET', others, below, undefined, '?limit=1');
    await exercise('GET', others, { resourceServerId: 999_999 });
    await exercise('DELETE', `${others}/{id}`, { ...below, id: guest.id });
    await exercise('DELETE', `${others}/{id}`, { ...below, id: guest.id });

    const tokens = '/admin/accessToken';
    const { json: issued } = await exercise('POST', tokens, {}, { clientId: app.clientId });
    await exercise('POST', tokens, {}, { clientId: 'nobody', scopes: [], expires: 0 });
    await exercise('GET', tokens, {}, undefined, `?clientId=${app.clientId}&expired=false&q=night&limit=1`);
    const { json: token } = await exercise('GET', `${tokens}/{id}`, issued);
    await exercise('POST', `${tokens}/lookup`, {}, { token: issued.token });
    await exercise('POST', `${tokens}/lookup`, {}, { token: 'x' });
    await exercise('PUT', `${tokens}/{id}`, issued, { ...token, scopes: ['read'] });
    await exercise('PATCH', `${tokens}/{id}`, issued, { expires: 4_000_000_000_000 });
    await exercise('DELETE', `${tokens}/{id}`, issued);
    await exercise('GET', `${tokens}/{id}`, issued);

    await root.create(tokens, { clientId: app.clientId });
    const grants = '/admin/grant';
    const ofApp = `?clientId=${app.clientId}`;
    const [grant] = (await exercise('GET', grants, {}, undefined, `${ofApp}&limit=1`)).json;
    await exercise('GET', grants, {}, undefined, '?limit=0');
    await exercise('GET', `${grants}/{id}`, grant);
    await exercise('DELETE', `${grants}/{id}`, grant);
    await exercise('DELETE', `${grants}/{id}`, grant);
    await exercise('GET', `${grants}/{id}`, grant);
    await exercise('DELETE', grants, {}, undefined, ofApp);
    await exercise('DELETE', grants, {});

    await exercise('GET', `${server1}/stats`, {}, undefined, '?hours=48');
    await exercise('GET', '/admin/auditEvent', {}, undefined, '?recordType=client&limit=2');
    await exercise('GET', '/admin/auditEvent', {}, undefined, '?resourceOwnerId=root');
    await server.post('/oauth2/token', { grant_type: 'x' }, `${app.clientId}:wrong`);
    const errors = '/admin/requestError';
    await exercise('GET', errors, {}, undefined, `${ofApp}&error=invalid_client&limit=1`);
    await exercise('GET', errors, {}, undefined, '?limit=0');
    await exercise('GET', `${errors}/summary`, {}, undefined, `${ofApp}&hours=1`);
    await exercise('GET', `${errors}/summary`, {}, undefined, '?hours=0');
    const [{ requestId }] = (await root.get(`${errors}${ofApp}`)).json;
    await exercise('GET', `${errors}/{requestId}`, { requestId });
    await exercise('GET', `${errors}/{requestId}`, { requestId: 'unknown' });
    const sessions = '/admin/loginSession';
    await exercise('GET', sessions, {}, undefined, '?limit=1');
    // Not that of root, with which its tokens end.
    const session = { ...sessionFactory('left')() };
    await server.service.store.loginSessions.insert(session);
    await exercise('GET', sessions, {}, undefined, '?identityProvider=x');
    await exercise('DELETE', `${sessions}/{id}`, session);
    await exercise('DELETE', `${sessions}/{id}`, session);
    const deliveries = '/admin/logoutDelivery';
    await undelivered(server, app.id);
    const [delivery] = (await exercise('GET', deliveries, {}, undefined, `${ofApp}&limit=1`)).json;
    await exercise('GET', deliveries, {}, undefined, '?failed=perhaps');
    await exercise('POST', `${deliveries}/{id}/retry`, delivery);
    await exercise('POST', `${deliveries}/{id}/retry`, { id: session.id });
    await exercise('GET', sessions, {}, undefined, `${ofApp}&since=1`);
    await exercise('DELETE', '/admin/accessToken', {}, undefined, `${ofApp}&since=1`);
    await exercise('DELETE', '/admin/accessToken', {}, undefined, ofApp);
    await exercise('POST', `${client}/revocation`, address);
    await exercise('POST', `${one}/revocation`, api);
    await exercise('GET', `${client}/stats`, address);
    await exercise('DELETE', client, address);
    await exercise('DELETE', one, api);
    const [system] = (await root.get(`${server1}?q=authorization-server-admin`)).json;
    await exercise('DELETE', one, system);
    const other = { resourceOwnerId: 'other', resourceOwnerAuthority: 'any-person' };
    await exercise('POST', '/admin/resourceOwner/revocation', {}, other);

    await exercise('GET', '/admin/identityProvider', {}, undefined, '?configured=true&limit=1');
    await exercise('GET', '/admin/identityProvider', {}, undefined, '?configured=perhaps');
    const authenticators = '/admin/authenticator';
    const authenticator = `${authenticators}/{id}`;
    const metadata = entityXml({
      entityId: 'https://idp.example',
      certificates: [testKey('idp').certificateBase64],
    });
    const setUp = { name: 'uni', kind: 'saml', settings: { metadata, nameFrom: ['uid'] } };
    await exercise('POST', authenticators, {}, setUp);
    await exercise('POST', authenticators, {}, setUp);
    await exercise('POST', authenticators, {}, { ...setUp, name: 'password' });
    await exercise('GET', authenticators, {}, undefined, '?limit=1');
    await exercise('GET', authenticators, {}, undefined, '?limit=0');
    await exercise('GET', authenticator, { id: 'uni' });
    await exercise('GET', authenticator, { id: 'any-person' });
    await exercise('GET', authenticator, { id: 'none' });
    const uni = { id: 'uni' };
    await exercise('PATCH', authenticator, uni, { enabled: false, settings: { emailFrom: 'mail' } });
    await exercise('PATCH', authenticator, uni, { label: null });
    await exercise('PATCH', authenticator, uni, { label: 'x' }, '', { 'if-match': '"0"' });
    const { json: test } = await exercise('POST', `${authenticator}/testLogin`, uni);
    await exercise('POST', `${authenticator}/testLogin`, { id: 'none' });
    await exercise('POST', `${authenticators}/testLogin`, {}, { testId: test.testId });
    await exercise('POST', `${authenticators}/testLogin`, {}, { testId: 'x' });
    await exercise('DELETE', authenticator, uni);
    await exercise('DELETE', authenticator, uni);
    const idp = '/admin/identityProvider/revocation';
    await server.person('passing', { identityProvider: 'https://idp.example' });
    await exercise('POST', idp, {}, { identityProvider: 'https://idp.example' });
    await exercise('POST', idp, {}, { identityProvider: 'https://idp.example' });

    const plan = '/admin/configurationPlan';
    const empty = { version: 1, name: 'document', clients: [] };
    await exercise('POST', plan, {}, { configuration: empty });
    await exercise('POST', plan, {}, { configuration: { ...empty, version: 0 } });
    await exercise('POST', '/admin/configuration', {}, { configuration: empty });
    await exercise('GET', '/admin/configuration', {}, undefined, '?limit=1');

    const clientHost = '/admin/clientHost';
    const host = { id: '*.tool.example' };
    await exercise('PUT', `${clientHost}/{id}`, host, { effect: 'block', note: 'Unknown.' });
    await exercise('PUT', `${clientHost}/{id}`, { id: '*' }, { effect: 'block' });
    await exercise('GET', clientHost, {}, undefined, '?limit=1');
    await exercise('GET', '/admin/describedClient', {}, undefined, '?limit=1');
    await exercise('DELETE', '/admin/describedClient', {}, undefined, '?host=tool.example');
    await exercise('DELETE', '/admin/describedClient', {}, undefined, '?host=a&all=true');
    await exercise('DELETE', `${clientHost}/{id}`, host);
    await exercise('DELETE', `${clientHost}/{id}`, host);
    const { clientId } = await server.actingClient('Robot');
    const robot = { clientId };
    const rights = '/admin/right/{clientId}';
    await exercise('POST', rights, robot, { rights: ['audit:read'] });
    await exercise('POST', rights, robot, { rights: ['everything'] });
    await exercise('GET', '/admin/right', {}, undefined, `?clientId=${robot.clientId}&limit=1`);
    await exercise('DELETE', rights, robot, undefined, '?right=audit:read');
    await exercise('DELETE', rights, robot);
    const initialToken = '/admin/initialToken';
    const made = await exercise('POST', initialToken, {}, { note: 'CI', maxClients: 2, lifetime: 60 });
    await exercise('POST', initialToken, {}, { note: 'x'.repeat(300) });
    await exercise('GET', initialToken, {}, undefined, '?limit=1');
    await exercise('DELETE', `${initialToken}/{id}`, { id: String(made.json.id) });
    await exercise('DELETE', `${initialToken}/{id}`, { id: String(made.json.id) });
    const branding = '/admin/branding';
    await exercise('GET', branding, {});
    await exercise('PUT', branding, {}, { productName: 'Acme', texts: { 'de/login.title': 'Hallo' } });
    await exercise('PUT', branding, {}, { lightColours: { accent: 'red' } });
    await exercise('PUT', branding, {}, {}, '', { 'if-match': '"0"' });
    await exercise('POST', `${branding}/preview`, {}, { darkColours: { accent: '#c3b2f7' } });
    await exercise('POST', `${branding}/preview`, {}, { logo: 'x' });
    await exercise('GET', `${branding}/texts`, {}, undefined, '?language=de');

    const keys = '/admin/signingKey';
    const pem = generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' });
    const { json: key } = await exercise(
      'POST',
      keys,
      {},
      { privateKey: pem, algorithm: 'EdDSA', now: true },
    );
    await exercise('POST', keys, {}, { privateKey: 'x' });
    await exercise('POST', `${keys}/rotation`, {}, { algorithm: 'EdDSA' });
    await exercise('POST', `${keys}/retirement`, {}, { kid: key.kid, compromised: true });
    await exercise('POST', `${keys}/retirement`, {}, { kid: 'unknown' });
    await exercise('GET', keys, {});
    await exercise('GET', '/admin/setting', {}, undefined, '?limit=1000');
    await exercise('POST', '/admin/sealingKey/renewal', {});
    await exercise('GET', '/admin/sealingKey', {}, undefined, '?limit=1');

    await using local = await startAccountServer({ registration: 'invitation' });
    root = await local.logIn('root');
    const accounts = '/admin/account';
    const { json: account } = await exercise('POST', accounts, {}, { username: 'emma', groups: ['a'] });
    await exercise('POST', accounts, {}, { username: 'emma' });
    await exercise('POST', accounts, {}, { username: ' x' });
    await exercise('POST', '/admin/accountImport', {}, { accounts: [{ username: 'gina' }], dryRun: true });
    await exercise(
      'POST',
      '/admin/accountImport',
      {},
      { accounts: [{ username: 'emma' }, { username: ' x' }] },
    );
    await exercise('GET', accounts, {}, undefined, '?q=e&disabled=false&limit=1');
    await exercise('GET', accounts, {}, undefined, '?after=a&adminPrincipal=false&hasPassword=false');
    await exercise('GET', accounts, {}, undefined, '?username=emma');
    const ofAccount = `${accounts}/{id}`;
    const invitations = '/admin/invitation';
    const { json: invitation } = await exercise('POST', invitations, {}, { note: 'Finn', groups: ['a'] });
    await exercise('POST', invitations, {}, { email: 'x' });
    await exercise('GET', invitations, {}, undefined, '?limit=1');
    await exercise('DELETE', `${invitations}/{id}`, invitation);
    await exercise('DELETE', `${invitations}/{id}`, invitation);
    const confirmations = '/admin/confirmation';
    const confirmation = { id: '019b76da-a800-7a57-899d-6e21a5a8121f' };
    await local.service.store.personLinks.create({
      ...{ ...confirmation, purpose: 'reset_password', accountId: account.id, address: 'emma@example.org' },
      ...{ digest: Buffer.alloc(32), data: '', creationDate: Date.now(), expires: Date.now() + 60_000 },
    });
    await exercise('GET', confirmations, {}, undefined, `?limit=1&accountId=${account.id}`);
    await exercise('GET', confirmations, {}, undefined, '?purpose=invitation');
    await exercise('DELETE', `${confirmations}/{id}`, confirmation);
    await exercise('DELETE', `${confirmations}/{id}`, confirmation);
    await exercise('GET', ofAccount, account);
    const linked = { authenticator: 'google', identityProvider: 'https://google.example', name: 'Emma' };
    const times = { creationDate: Date.now(), lastUsed: 0 };
    const { accountLinks } = local.service.store;
    await accountLinks.create({ ...linked, ...times, subject: 'of emma', accountId: account.id });
    await exercise('GET', `${ofAccount}/link`, account, undefined, '?limit=1');
    const ofLink = { id: account.id, authenticator: 'google' };
    await exercise('DELETE', `${ofAccount}/link/{authenticator}`, ofLink);
    await exercise('DELETE', `${ofAccount}/link/{authenticator}`, ofLink);
    const person = `?resourceOwnerId=${account.username}&identityProvider=password`;
    const factor = { id: confirmation.id, subject: 'of emma', kind: 'totp' } as const;
    const { credentials } = local.service.store;
    const emma = { identityProvider: 'password', name: account.username };
    const kept = { name: 'my app', creationDate: 1, lastUsed: 0, counter: 0, data: '{}' };
    await credentials.create({ ...factor, ...kept, owner: emma }, 1);
    const factors = '/admin/factor';
    await exercise('GET', factors, {}, undefined, `${person}&limit=1`);
    await exercise('GET', factors, {});
    await exercise('GET', `${factors}/stats`, {});
    await exercise('DELETE', `${factors}/{id}`, factor);
    await exercise('DELETE', `${factors}/{id}`, factor);
    await credentials.create({ ...factor, ...kept, owner: emma }, 1);
    await exercise('DELETE', factors, {}, undefined, person);
    await exercise('DELETE', factors, {}, undefined, person);
    await exercise('POST', `${ofAccount}/resetLink`, account);
    const { displayName, roles, groups, adminPrincipal } = account;
    const fields = { displayName, roles, groups, adminPrincipal, disabled: false };
    await exercise('PUT', ofAccount, account, fields);
    await exercise('PATCH', ofAccount, account, { disabled: true });
    await exercise('POST', `${ofAccount}/resetLink`, account);
    await exercise('DELETE', ofAccount, account);
    await exercise('GET', ofAccount, account);

    const described = Object.values<Record<string, Described>>(document.paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId }) => operationId),
    );
    assert.deepEqual([...exercised].toSorted(), described.toSorted());
  });

  it('has the operations of the table of rights and no other, and every right opens one', () => {
    const described = Object.values<Record<string, Described>>(document.paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId }) => operationId),
    );
    assert.deepEqual(Object.keys(operationRights).toSorted(), described.toSorted());
    const opened = Object.values(operationRights).map((needed) =>
      typeof needed === 'string' ? needed : needed.right,
    );
    // Own records are everyone's, as far as the server lets clients register any.
    const others: readonly string[] = ['records:read', 'records:write', 'people', 'everyone'];
    assert.deepEqual(new Set([...opened, ...others]), new Set([...rights, ...others]));
  });

  it('names no route that does not exist', () => {
    const { endpoints } = server.service;
    for (const [path, methods] of Object.entries<object>(document.paths)) {
      const endpoint = endpoints.find((other) => other.path === path.replaceAll(/\{(\w+)\}/g, ':$1'));
      for (const method of Object.keys(methods)) {
        assert.ok(endpoint?.methods[method.toUpperCase() as 'GET'], `${method} ${path}`);
      }
    }
  });

  it('is for people a page of this server only, without a script, that names every operation and record', async () => {
    const page = await server.get('/admin/docs', { accept: 'text/html' });
    assert.equal(page.status, 200);
    assert.match(page.headers.get('content-type') ?? '', /^text\/html/);
    const policy = page.headers.get('content-security-policy') ?? '';
    assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';/);
    assert.doesNotMatch(page.text, /<script|(?:src|href|action)="https?:\/\//);
    for (const [path, methods] of Object.entries<object>(document.paths)) {
      assert.ok(page.text.includes(`<code>${path}</code>`), path);
      for (const { summary } of Object.values<{ summary: string }>(methods as never)) {
        assert.ok(page.text.includes(summary.replaceAll("'", '&#39;')), summary);
      }
    }
    for (const name of Object.keys(document.components.schemas))
      assert.ok(page.text.includes(`<code>${name}</code>`), name);
  });

  it('follows, for people too, the path of the base URL', async () => {
    await using below = await startServer({ baseUrl: 'http://localhost/auth' });
    const page = await below.get('/admin/docs');
    assert.match(page.text, /href="\/auth\/admin\/openapi\.json"/);
    assert.equal((await below.get('/admin/openapi.json')).json.servers[0].url, 'http://localhost/auth');
  });
});

/** A logout token that its client has rejected. */
async function undelivered(
  { service: { store } }: AdministrationServer,
  clientRecordId: number,
): Promise<void> {
  const session = sessionFactory('undelivered')();
  const { id: sessionId, expires } = session;
  await store.loginSessions.insert(session);
  await store.sessionClients.insert({
    ...{ id: sessionId, sessionId, clientRecordId, expires },
    ...{ sid: 'sid', subject: 'subject' },
  });
  // In the future, so that the server makes no attempt before it is asked to.
  await store.loginSessions.delete(sessionId, { now: Date.now() + 1e10 });
}
