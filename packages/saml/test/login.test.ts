import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { temporaryDirectory } from '@watchword/server-testkit/processes/process';
import { slowTest } from '@watchword/testkit';
import { testKey } from '@watchword/testkit/certificate';
import { UserAgent } from '@watchword/testkit/user-agent';
import {
  type IdentityProvider,
  type IdentityProviderOptions,
  type Person,
  startIdentityProvider,
} from './support/identity-provider.ts';
import {
  atProvider,
  codeOf,
  comeBack,
  inline,
  introduce,
  logIn,
  requestLogin,
  type Service,
  startService,
} from './support/service.ts';

const uid = 'urn:mace:dir:attribute-def:uid';
const isMemberOf = 'urn:mace:dir:attribute-def:isMemberOf';
const signing = testKey('service');
const older = testKey('older');
const newer = testKey('newer');
/** Each service knows one identity provider, so these can share a key. */
const key = testKey('idp');

const emma: Person = {
  nameId: 'e-1',
  attributes: {
    [uid]: ['emma'],
    'urn:mace:dir:attribute-def:displayName': ['Emma & Söhne <x>'],
    [isMemberOf]: ['staff', 'blue', 'staff'],
  },
};

const pair = ({ key, certificate }: typeof signing) => ({ key, certificate });

interface Connected extends AsyncDisposable {
  readonly service: Service;
  readonly idp: IdentityProvider;
}

let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
before(async () => {
  directory = await temporaryDirectory();
});
after(() => directory[Symbol.asyncDispose]());

/** By their options, because a server takes longer than a login. */
const connected = new Map<string, Promise<Connected>>();
after(() => Promise.all([...connected.values()].map(async (each) => (await each)[Symbol.asyncDispose]())));

/** One identity provider and one service with the metadata of each other. Tests with the same options share them. */
async function withProvider(
  options: Record<string, unknown>,
  work: (service: Service, idp: IdentityProvider) => Promise<void>,
  provider: IdentityProviderOptions = {},
): Promise<void> {
  const id = JSON.stringify([options, provider]);
  const made = connected.get(id) ?? connect(options, provider);
  connected.set(id, made);
  const { service, idp } = await made;
  idp.person = emma;
  idp.clockOffset = 0;
  idp.requests.length = 0;
  const before = service.refusedLogins().length;
  await work({ ...service, refusedLogins: () => service.refusedLogins().slice(before) }, idp);
}

async function connect(
  options: Record<string, unknown>,
  provider: IdentityProviderOptions,
): Promise<Connected> {
  await using resources = new AsyncDisposableStack();
  const idp = resources.use(await startIdentityProvider({ key, ...provider }));
  const { identityProvider, ...others } = options;
  const service = resources.use(
    await startService(
      { identityProviders: [inline(idp, identityProvider as Record<string, unknown>)], ...others },
      // A test reads all that is ever logged.
      { 'log.level': 'debug' },
    ),
  );
  await introduce(service, idp);
  const kept = resources.move();
  return { service, idp, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

describe('a login at an identity provider of another implementation', () => {
  it('ends with a principal of that identity provider', async () => {
    await withProvider({}, async (service, idp) => {
      const agent = new UserAgent();
      const principal = await service.principalOf(codeOf(await logIn(service, agent)));
      assert.deepEqual(principal, {
        name: 'emma',
        roles: [],
        groups: ['staff', 'blue'],
        adminPrincipal: false,
        attributes: { DISPLAY_NAME: 'Emma & Söhne <x>', IDENTITY_PROVIDER: idp.entityId },
      });
      assert.match((await agent.get(`${service.baseUrl}/account`)).text, /Emma & Söhne/);
    });
  });

  it('sends a short RelayState for every authorization request', async () => {
    await withProvider({}, async (service, idp) => {
      const agent = new UserAgent();
      const end = await logIn(service, agent, `&state=${'s'.repeat(1500)}`);
      assert.equal(new URL(end.location ?? '').searchParams.get('state'), 's'.repeat(1500));
      assert.ok((idp.requests[0]?.relayState.length ?? 99) <= 80);
    });
  });

  it('logs nothing of the assertion or of the user', async () => {
    await withProvider({}, async (service) => {
      const agent = new UserAgent();
      const posted = await atProvider(await requestLogin(service, agent));
      codeOf(await comeBack(service, agent, posted));
      await comeBack(service, agent, posted).catch(() => {});
      const log = service.server.log();
      assert.doesNotMatch(log, /emma|\be-1\b|staff|SignatureValue|saml:Assertion/i);
      assert.ok(!log.includes(posted.SAMLResponse.slice(0, 100)));
    });
  });

  it('uses the session of the user for a second request', async () => {
    await withProvider({}, async (service, idp) => {
      const agent = new UserAgent();
      await logIn(service, agent);
      codeOf(await requestLogin(service, agent));
      assert.equal(idp.requests.length, 1);
    });
  });

  it('accepts principals that are too large for a URL or a cookie', async () => {
    await withProvider({}, async (service, idp) => {
      const groups = Array.from({ length: 100 }, (_, index) => `urn:example:${'g'.repeat(250)}:${index}`);
      idp.person = { ...emma, attributes: { [uid]: ['emma'], [isMemberOf]: groups } };
      const principal = (await service.principalOf(codeOf(await logIn(service)))) as { groups: string[] };
      assert.deepEqual(principal.groups, groups);
    });
  });
});

describe('an AuthnRequest', () => {
  /** By HTTP-POST, with what a service states about the login that it needs. */
  const stating = {
    identityProvider: { binding: 'post' },
    scoping: { idpList: ['https://a.example', 'https://b.example'], proxyCount: 2 },
    nameIdFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
    authnContext: ['https://refeds.org/profile/mfa'],
  };

  for (const binding of ['redirect', 'post'] as const) {
    it(`is signed and verified there, by HTTP-${binding}`, async () => {
      await withProvider(
        { binding, signing: pair(signing), identityProvider: { binding } },
        async (service, idp) => {
          codeOf(await logIn(service));
          const [request] = idp.requests;
          assert.equal(request?.binding, binding);
          assert.ok(request?.isSigned);
          assert.match(request?.xml ?? '', /AssertionConsumerServiceURL="[^"]+\/saml\/acs"/);
          assert.match(request?.xml ?? '', new RegExp(`Destination="${idp.ssoUrl}"`));
        },
        { wantsSignedRequests: true },
      );
    });

    it(`can be unsigned, by HTTP-${binding}`, async () => {
      await withProvider(binding === 'post' ? stating : {}, async (service, idp) => {
        codeOf(await logIn(service));
        assert.equal(idp.requests[0]?.binding, binding);
        assert.ok(!idp.requests[0]?.isSigned);
      });
    });
  }

  it('by HTTP-POST is a form with a button, whose page permits redirects of the login', async () => {
    await withProvider(stating, async (service, idp) => {
      const page = await requestLogin(service);
      assert.equal(page.forms[0]?.action, idp.ssoUrl);
      assert.match(page.html, /<button [^>]*type="submit"/);
      assert.match(page.headers.get('content-security-policy') ?? '', /form-action 'self' http:;/);
    });
  });

  it('names the entity id of the client as requester', async () => {
    await withProvider({}, async (service, idp) => {
      await atProvider(await requestLogin(service));
      assert.doesNotMatch(idp.requests[0]?.xml ?? '', /Scoping/);
      const { store } = service.server.service;
      const [server] = await store.resourceServers.list({ limit: 1 });
      const [client] = await store.clients.list({ limit: 10, resourceServerId: server?.id ?? 0 });
      const { id: _, clientId: __, ...registered } = client ?? assert.fail();
      await store.clients.create(
        {
          ...registered,
          redirectUris: ['http://127.0.0.1/cb'],
          attributes: { CLIENT_SAML_ENTITY_NAME: 'https://app.example/sp?a&b' },
        },
        ['federated'],
      );
      await store.refreshRegistry();
      const path =
        '/authorize?response_type=code&client_id=federated&code_challenge_method=S256&code_challenge=';
      const page = await new UserAgent().get(`${service.baseUrl}${path}${'a'.repeat(43)}`);
      await atProvider(page);
      assert.match(
        idp.requests[1]?.xml ?? '',
        /<samlp:Scoping[^>]*><samlp:RequesterID>https:\/\/app\.example\/sp\?a&amp;b<\/samlp:RequesterID>/,
      );
    });
  });

  it('lists the identity providers from which a proxy can choose', async () => {
    await withProvider(stating, async (service, idp) => {
      await atProvider(await requestLogin(service));
      const { xml = '' } = idp.requests[0] ?? {};
      assert.match(xml, /<samlp:Scoping [^>]*ProxyCount="2"/);
      assert.deepEqual(
        [...xml.matchAll(/ProviderID="([^"]+)"/g)].map(([, id]) => id),
        stating.scoping.idpList,
      );
      assert.equal(xml.match(/<samlp:IDPList/g)?.length, 1);
    });
  });

  it('requires a new login when the client does, and an older one is rejected', async () => {
    await withProvider({}, async (service, idp) => {
      codeOf(await logIn(service, new UserAgent(), '&prompt=login'));
      assert.match(idp.requests[0]?.xml ?? '', /ForceAuthn="true"/);
      await atProvider(await requestLogin(service));
      assert.doesNotMatch(idp.requests[1]?.xml ?? '', /ForceAuthn/);
    });
  });

  it('requests the name id and the authentication context of the options', async () => {
    await withProvider(stating, async (service, idp) => {
      await atProvider(await requestLogin(service));
      const { xml = '' } = idp.requests[0] ?? {};
      assert.match(xml, new RegExp(`<samlp:NameIDPolicy [^>]*Format="${stating.nameIdFormat}"`));
      assert.match(xml, /AuthnContextClassRef[^>]*>https:\/\/refeds\.org\/profile\/mfa</);
    });
  });
});

describe('an encrypted assertion', () => {
  it('is read with any of the keys, of which the newest is in the metadata', async () => {
    const encryption = [pair(newer), pair(older)];
    await withProvider(
      { encryption },
      async (service, idp) => {
        const metadata = await service.metadata();
        const keys = metadata.match(/<md:KeyDescriptor use="encryption">.*?<\/md:KeyDescriptor>/g) ?? [];
        assert.ok(keys[0]?.includes(newer.certificateBase64) && keys[1]?.includes(older.certificateBase64));
        // One identity provider knows the new key, and one does not yet.
        for (const unknown of keys.toReversed()) {
          idp.register(metadata.replace(unknown, ''));
          codeOf(await logIn(service));
        }
      },
      { isEncrypted: true },
    );
  });

  // assertion-attacks.test.ts has those that the operator does not allow.
  it('in CBC is read when the operator allows it', async () => {
    await withProvider(
      { encryption: [pair(newer)], allowCbc: true },
      async (service) => {
        codeOf(await logIn(service));
      },
      { isEncrypted: true, encryption: 'http://www.w3.org/2001/04/xmlenc#aes256-cbc' },
    );
  });
});

describe('a difference of clocks', () => {
  // assertion-attacks.test.ts has both directions, beside and within the clock skew, without a foreign implementation.
  for (const [test, seconds, isIn] of [
    [slowTest, 60, true],
    [it, -60, true],
    [it, 600, false],
    [slowTest, -600, false],
  ] as const) {
    test(`of ${seconds} s ${isIn ? 'is accepted' : 'is reported to the user and logged'}`, async () => {
      await withProvider({}, async (service, idp) => {
        idp.clockOffset = seconds * 1000;
        if (isIn) {
          codeOf(await logIn(service));
          return;
        }
        await assert.rejects(logIn(service), /a clock is wrong here or at your organisation/);
        const [logged] = service.refusedLogins();
        assert.equal(logged?.check, 'time');
        assert.match(logged?.detail ?? '', /do the clocks agree\?/);
        assert.equal(logged?.provider, idp.entityId);
      });
    });
  }
});

const eppn = 'urn:mace:dir:attribute-def:eduPersonPrincipalName';
/** What becomes of attributes, and of a group of administrators. */
const mapping = {
  identityProvider: { scopes: ['uni.example'] },
  adminGroup: 'admins',
  principal: {
    name: ['urn:oasis:names:tc:SAML:attribute:subject-id', uid, 'NameID'],
    displayName: 'urn:oid:2.5.4.3',
    roles: 'urn:oid:1.3.6.1.4.1.5923.1.1.1.1',
    groups: [isMemberOf, 'urn:oid:1.3.6.1.4.1.5923.1.1.1.7'],
    attributes: { EMAIL: 'urn:oid:0.9.2342.19200300.100.1.3', PHONE: 'urn:oid:2.5.4.20', EPPN: eppn },
  },
};
/** Only for members, of whom none is an administrator. */
const members = {
  requiredGroups: ['red', 'green'],
  adminGroup: 'admins',
  adminProviders: ['https://other.example'],
};

describe('the principal', () => {
  const principalOf = async (
    options: Record<string, unknown>,
    person: Person,
  ): Promise<Record<string, unknown>> => {
    let principal: unknown;
    await withProvider(options, async (service, idp) => {
      idp.person = person;
      principal = await service.principalOf(codeOf(await logIn(service)));
    });
    return principal as Record<string, unknown>;
  };

  it('has the attributes that the options name', async () => {
    const mapped = await principalOf(mapping, {
      nameId: 'n-1',
      attributes: {
        'urn:oid:2.5.4.3': ['Emma'],
        'urn:oid:1.3.6.1.4.1.5923.1.1.1.1': ['member', 'student'],
        [isMemberOf]: ['a'],
        'urn:oid:1.3.6.1.4.1.5923.1.1.1.7': ['b'],
        'urn:oid:0.9.2342.19200300.100.1.3': ['emma@example.org'],
      },
    });
    assert.equal(mapped.name, 'n-1');
    assert.deepEqual(mapped.roles, ['member', 'student']);
    assert.deepEqual(mapped.groups, ['a', 'b']);
    const { IDENTITY_PROVIDER: _, ...attributes } = mapped.attributes as Record<string, string>;
    assert.deepEqual(attributes, { DISPLAY_NAME: 'Emma', EMAIL: 'emma@example.org' });
  });

  it('is an administrator when it is in the group of administrators', async () => {
    for (const [groups, isAdministrator] of [
      [['admins'], true],
      [['ADMINS', 'admins2'], false],
    ] as const) {
      const person = { ...emma, attributes: { [uid]: ['emma'], [isMemberOf]: groups } };
      const { adminPrincipal } = await principalOf(mapping, person);
      assert.equal(adminPrincipal, isAdministrator);
    }
  });

  it('is not an administrator when its identity provider cannot make administrators', async () => {
    const person = { ...emma, attributes: { [uid]: ['emma'], [isMemberOf]: ['green', 'admins'] } };
    assert.equal((await principalOf(members, person)).adminPrincipal, false);
  });

  it('has no value with a domain of another identity provider', async () => {
    const mapped = await principalOf(mapping, {
      nameId: 'x',
      attributes: {
        [uid]: ['emma'],
        [eppn]: ['emma@uni.example', 'root@other.example'],
        'urn:oasis:names:tc:SAML:attribute:subject-id': ['root@other.example'],
      },
    });
    assert.equal(mapped.name, 'emma');
    assert.equal((mapped.attributes as Record<string, string>).EPPN, 'emma@uni.example');
  });

  it('of a proxy belongs to the identity provider behind it', async () => {
    const options = { identityProvider: { proxy: true } };
    const mapped = await principalOf(options, { ...emma, identityProviders: ['https://behind.example'] });
    assert.equal((mapped.attributes as Record<string, string>).IDENTITY_PROVIDER, 'https://behind.example');
    await withProvider(options, async (service) => {
      const end = await logIn(service);
      assert.equal(end.status, 403);
      assert.equal(service.refusedLogins()[0]?.check, 'issuer');
    });
  });

  it('belongs to the issuer when the issuer is not a proxy', async () => {
    const mapped = await principalOf({}, { ...emma, identityProviders: ['https://behind.example'] });
    assert.notEqual(
      (mapped.attributes as Record<string, string>).IDENTITY_PROVIDER,
      'https://behind.example',
    );
  });
});

describe('a rejected login', () => {
  const refusedAs = async (
    options: Record<string, unknown>,
    person: Person,
    check: string,
    title: RegExp,
  ) => {
    await withProvider(options, async (service, idp) => {
      idp.person = person;
      const agent = new UserAgent({ 'accept-language': 'nl' });
      const end = await logIn(service, agent);
      assert.ok([403, 503].includes(end.status), end.text);
      assert.match(end.text, title);
      const [logged] = service.refusedLogins();
      assert.equal(logged?.check, check);
      assert.equal(logged?.provider, idp.entityId);
      assert.ok(end.text.includes(logged?.requestId ?? '-'), 'the page and the log have the same reference');
      assert.ok(!agent.cookies.some(({ name }) => name === 'watchword_session'));
    });
  };

  it('shows that the name is missing and must be released', async () => {
    const person = { nameId: 'x', attributes: { mail: ['emma@example.org'] } };
    await refusedAs({}, person, 'name', /Je organisatie gaf niet door wie je bent/);
  });

  for (const [problem, values] of [
    ['several values', ['emma', 'emily']],
    ['a line break', ['em\nma']],
    ['more than 1,000 characters', ['e'.repeat(1001)]],
  ] as const) {
    it(`shows the same when the name has ${problem}`, async () => {
      await refusedAs({}, { nameId: 'x', attributes: { [uid]: values } }, 'name', /niet door wie je bent/);
    });
  }

  it('shows the same when the NameID is transient', async () => {
    const nameIdFormat = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient';
    const person = { nameId: 'x', nameIdFormat, attributes: {} };
    await refusedAs(mapping, person, 'name', /niet door wie je bent/);
  });

  it('shows that the user is not a member of a required group', async () => {
    // A member is in the test of those who cannot be administrators.
    await refusedAs(members, emma, 'membership', /Je bent geen lid/);
  });

  it('asks the user to try again when the group provider fails', async () => {
    const person = { ...emma, attributes: { [uid]: ['nobody'] } };
    await refusedAs(await grouping(), person, 'groups', /je groepen niet opzoeken/);
  });
});

/** Groups from elsewhere, of which one makes administrators. */
async function grouping() {
  const file = directory.file('groups.mjs');
  await writeFile(
    file,
    `export default ({ settings }) => ({
      groups: async ({ name, identityProvider, attributes }) => {
        if (name === 'nobody') throw new Error('no connection');
        return [settings.prefix + name, identityProvider, ...attributes[${JSON.stringify(uid)}], 'admins'];
      },
    });`,
  );
  return {
    groupProvider: file,
    groupProviderOptions: { prefix: 'of-' },
    adminGroup: 'admins',
    adminProviders: [],
    requiredGroups: ['of-emma'],
  };
}

describe('a group provider', () => {
  it('adds groups by name and identity provider, and its groups can make administrators', async () => {
    await withProvider(await grouping(), async (service, idp) => {
      const principal = await service.principalOf(codeOf(await logIn(service)));
      const { groups, adminPrincipal } = principal as { groups: string[]; adminPrincipal: boolean };
      assert.deepEqual(groups, ['staff', 'blue', 'of-emma', idp.entityId, 'emma', 'admins']);
      assert.ok(adminPrincipal);
    });
  });
});
