import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import type { IncomingMessage, RequestListener } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { type ClientKeySets, maxKeySetBytes, noKeys } from '@watchword/protocol';
import { temporaryDirectory } from '@watchword/server-testkit/processes/process';
import { testKey } from '@watchword/testkit/certificate';
import { startSite } from '@watchword/testkit/site';
import type { AssertionIssuerSetting } from '../../src/config/assertion-issuers.ts';
import { checkIssuerFiles, issuerKeySetsOf } from '../../src/core/clients/issuer-keys.ts';
import { type FetchKeySet, keySetsAtUrls } from '../../src/runtime/key-sets.ts';
import { RequestObjectsAtUrls } from '../../src/runtime/request-objects-at-urls.ts';
import { systemClock } from '../../src/system.ts';

type Fetched = Awaited<ReturnType<FetchKeySet>>;

const owner = { clientId: 'bank', jwksUri: 'https://bank.example/jwks.json' };
const problem = { problem: 'answered with status 500; expected 200' };
const found = (kid: string, seconds = 300): Fetched => ({ keySet: { keys: [{ kty: 'EC', kid }] }, seconds });
const minute = 60_000;

/** Key sets whose URL gives the answers in turn, the last one for ever, with the count of requests and a clock. */
function keySets(...answers: readonly Fetched[]) {
  const clock = { now: 1000 };
  const asked = { times: 0 };
  const sets = keySetsAtUrls(
    async () => {
      const answer = answers[Math.min(asked.times, answers.length - 1)];
      asked.times += 1;
      return answer ?? problem;
    },
    () => clock.now,
  );
  const kidOf = async (reading: ReturnType<ClientKeySets['readAgain']>) => {
    const read = await reading;
    return read !== undefined && 'keys' in read ? read.keys[0]?.kid : read;
  };
  return {
    clock,
    asked,
    read: () => kidOf(sets.read(owner)),
    again: () => kidOf(sets.readAgain(owner)),
    sets,
  };
}

describe('the keys of a client at a URL', () => {
  it('are requested once for all who wait, and again when their time is over', async () => {
    const { asked, clock, read } = keySets(found('a', 120), found('b'));
    assert.deepEqual(new Set(await Promise.all(Array.from({ length: 100 }, read))), new Set(['a']));
    clock.now += 2 * minute - 1;
    assert.equal(await read(), 'a');
    assert.equal(asked.times, 1);
    clock.now += 1;
    assert.equal(await read(), 'b');
    assert.equal(asked.times, 2);
  });

  it('are requested for an unknown key once a minute at most', async () => {
    const { asked, clock, read, again } = keySets(found('a'), found('b'), found('c'));
    await read();
    clock.now += minute - 1;
    assert.equal(await again(), undefined);
    clock.now += 1;
    const answers = await Promise.all([again(), again(), again()]);
    assert.deepEqual(answers, ['b', undefined, undefined]);
    assert.equal(await read(), 'b');
    assert.equal(asked.times, 2);
  });

  it('stay in use for a day while the URL is down, which is asked once a minute at most', async () => {
    const { asked, clock, read, again } = keySets(found('a', 60), problem);
    await read();
    for (let hour = 0; hour < 23; hour += 1) {
      clock.now += 60 * minute;
      assert.deepEqual(await Promise.all([read(), read(), again()]), ['a', 'a', undefined]);
    }
    assert.equal(asked.times, 24);
    clock.now += 60 * minute;
    assert.deepEqual(await read(), problem);
    clock.now += minute - 1;
    assert.deepEqual(await read(), problem);
    assert.equal(asked.times, 25);
  });

  it('of hundreds of URLs of one host are requested at a limited pace', async () => {
    const { asked, clock, sets } = keySets({ keySet: noKeys, seconds: 300 });
    const all = await Promise.all(
      Array.from({ length: 300 }, (_, index) =>
        sets.read({ ...owner, jwksUri: `${owner.jwksUri}?${index}` }),
      ),
    );
    assert.equal(asked.times, 50);
    assert.equal(all.filter((read) => 'problem' in read).length, 250);
    clock.now += 1000;
    assert.deepEqual(await sets.read({ ...owner, jwksUri: `${owner.jwksUri}?299` }), noKeys);
  });
});

describe('clients that nobody registered', () => {
  const strange = 'registered.abc';
  const never = new Promise<never>(() => {});

  /** Key sets of a registered client, and of many that nobody registered. @param flood what their servers answer */
  const withFlood = (flood: Promise<Fetched>) => {
    const clock = { now: 1000 };
    let ofOwner: Fetched = found('a', 60);
    const sets = keySetsAtUrls(
      async ({ clientId }) => (clientId === strange ? flood : ofOwner),
      () => clock.now,
    );
    const askFor = (jwksUri: string) => sets.read({ clientId: strange, jwksUri });
    const fail = () => {
      ofOwner = problem;
    };
    return { clock, askFor, own: () => sets.read(owner), fail };
  };

  it('displace no keys that are in use while their URL is down, however many URLs they have', async () => {
    const { clock, askFor, own, fail } = withFlood(Promise.resolve(found('strange')));
    await own();
    fail();
    clock.now += minute;
    for (let index = 0; index < 1001; index += 1) await askFor(`https://${index}.example/jwks.json`);
    assert.ok('keys' in (await own()));
  });

  it('keep no registered client waiting, also if they name its host or take every turn', async () => {
    for (const [flood, urlOf] of [
      [Promise.resolve(found('strange')), (index: number) => `${owner.jwksUri}?${index}`],
      [never, (index: number) => `https://${index}.example/jwks.json`],
    ] as const) {
      const { askFor, own } = withFlood(flood);
      for (let index = 0; index < 60; index += 1) void askFor(urlOf(index));
      assert.ok('keys' in (await own()), urlOf(0));
    }
  });

  it('keep no request object of a registered client waiting', async () => {
    const asked: string[] = [];
    const objects = new RequestObjectsAtUrls(({ clientId }) => {
      asked.push(clientId);
      return clientId === strange ? never : Promise.resolve({ text: 'object' });
    });
    for (let index = 0; index < 60; index += 1)
      void objects.read({ clientId: strange, uri: `https://slow.example/${index}` }, `192.0.2.${index}`);
    assert.equal(asked.length, 50);
    const read = await objects.read({ clientId: 'bank', uri: 'https://bank.example/object' }, '198.51.100.1');
    assert.deepEqual(read, { text: 'object' });
  });
});

describe('the keys of an issuer that the operator names', () => {
  let folder: Awaited<ReturnType<typeof temporaryDirectory>>;
  before(async () => {
    folder = await temporaryDirectory();
  });
  after(() => folder[Symbol.asyncDispose]());
  const named = 'https://kubernetes.default.svc';
  const keysOf = (kid: string) =>
    JSON.stringify({ keys: [{ kty: 'EC', use: 'jwt-svid', kid }], spiffe_sequence: 1 });
  const file = (name: string) => folder.file(name);

  /** The keys by a setting, with what is logged and a clock. */
  const issuerKeys = (setting: Partial<AssertionIssuerSetting>) => {
    const clock = { now: 1000 };
    const logged: string[] = [];
    const sets = issuerKeySetsOf({
      configuration: {
        'clients.assertionIssuers': [{ issuer: named, usableBy: 'administrators', ...setting }],
      },
      clock: systemClock,
      logger: { warn: (details: object) => logged.push(JSON.stringify(details)) },
      tracing: undefined,
      now: () => clock.now,
    });
    const kidOf = async (reading: ReturnType<ClientKeySets['readAgain']>) => {
      const read = await reading;
      return read !== undefined && 'keys' in read ? read.keys[0]?.kid : read;
    };
    const read = (issuer = named) => kidOf(sets.read(issuer));
    return { clock, logged, read, again: () => kidOf(sets.readAgain(named)) };
  };
  const unreadable = { problem: 'cannot be read now' };

  it('are read from their file again within a minute, and never those of another issuer', async () => {
    const jwksFile = file('rotated.json');
    await writeFile(jwksFile, keysOf('a'));
    const { clock, read, again } = issuerKeys({ jwksFile });
    assert.equal(await read(), 'a');
    await writeFile(jwksFile, keysOf('b'));
    clock.now += minute - 1;
    assert.deepEqual([await read(), await again()], ['a', undefined]);
    clock.now += 1;
    assert.equal(await read(), 'b');
    assert.deepEqual(await read('https://kubernetes.default.svc.cluster.local'), {
      problem: 'the setting does not name',
    });
  });

  it('stay in use for an hour while their file has garbage, is too large or is away, and the log says why', async () => {
    const jwksFile = file('broken.json');
    await writeFile(jwksFile, keysOf('a'));
    const { clock, logged, read } = issuerKeys({ jwksFile });
    await read();
    for (const [content, reason] of [
      ['{"keys":[{"kty":"RSA","n":"secret-part', 'is not JSON'],
      ['{"keys":[{"kty":"oct","k":"secret-part"}]}', 'is symmetric'],
      [' '.repeat(maxKeySetBytes + 1), `has more than ${maxKeySetBytes} bytes`],
    ] as const) {
      await writeFile(jwksFile, content);
      clock.now += minute;
      assert.equal(await read(), 'a');
      assert.ok(logged.at(-1)?.includes(`${jwksFile} `) && logged.at(-1)?.includes(reason), logged.join());
    }
    assert.ok(!logged.join().includes('secret-part'));
    clock.now += 60 * minute;
    assert.deepEqual(await read(), unreadable);
    // The operator ends what an issuer signs at once by a set without keys.
    await writeFile(jwksFile, JSON.stringify(noKeys));
    clock.now += minute;
    assert.equal(await read(), undefined);
  });

  const token = 'first-token';
  const site = async (answer: RequestListener, key = testKey('localhost')) => {
    const started = await startSite(answer, key);
    await writeFile(file('ca.crt'), key.certificate);
    await writeFile(file('token'), `${token}\n`);
    const jwksUri = started.url.replace('127.0.0.1', 'localhost');
    return {
      [Symbol.asyncDispose]: () => started[Symbol.asyncDispose](),
      requests: started.requests,
      setting: { jwksUri: `${jwksUri}/openid/v1/jwks`, caFile: file('ca.crt'), tokenFile: file('token') },
    };
  };
  const tokenOf = ({ headers }: IncomingMessage) => headers.authorization;

  it('at a private URL are read with its authority and the token that its file has then', async () => {
    await using cluster = await site((_request, response) => void response.end(keysOf('a')));
    const { clock, read, again, logged } = issuerKeys(cluster.setting);
    assert.equal(await read(), 'a', logged.join());
    await writeFile(cluster.setting.tokenFile, 'second-token');
    clock.now += minute;
    assert.equal(await again(), 'a');
    assert.deepEqual(cluster.requests.map(tokenOf), ['Bearer first-token', 'Bearer second-token']);
  });

  it('are not read from a server that redirects, sends too much, refuses, or has the certificate of another authority', async () => {
    await using elsewhere = await site((_request, response) => void response.end(keysOf('evil')));
    const answers: readonly (readonly [RequestListener, string])[] = [
      [
        (_request, response) => void response.writeHead(302, { location: elsewhere.setting.jwksUri }).end(),
        'redirect',
      ],
      [(_request, response) => void response.end(' '.repeat(maxKeySetBytes + 1)), 'bytes'],
      [(_request, response) => void response.writeHead(403).end(keysOf('a')), 'status 403'],
      [(_request, response) => void response.end('{"keys":{}}'), 'is not a JSON Web Key Set'],
    ];
    for (const [answer, reason] of answers) {
      await using cluster = await site(answer);
      const { logged, read } = issuerKeys(cluster.setting);
      assert.deepEqual(await read(), unreadable);
      assert.ok(logged[0]?.includes(reason), logged.join());
      assert.ok(!logged[0]?.includes(token));
    }
    assert.deepEqual(elsewhere.requests, []);
    await writeFile(file('other.crt'), testKey('other').certificate);
    const { logged, read } = issuerKeys({ ...elsewhere.setting, caFile: file('other.crt') });
    assert.deepEqual(await read(), unreadable);
    assert.match(logged[0] ?? '', /TLS with localhost:\d+ failed/);
    assert.deepEqual(
      elsewhere.requests,
      [],
      'no request, and so no token, goes to a server that is not known',
    );
  });

  it('keep the server from starting while a file of theirs cannot be used', async () => {
    await writeFile(file('garbage'), 'secret-part\u0000 of a token');
    const [issuer, usableBy] = [named, 'administrators'] as const;
    const jwksUri = `${named}/openid/v1/jwks`;
    const check = (...settings: readonly AssertionIssuerSetting[]) =>
      checkIssuerFiles({ 'clients.assertionIssuers': settings });
    await assert.rejects(
      check(
        { issuer, usableBy, jwksFile: file('garbage') },
        { issuer, usableBy, jwksUri, caFile: file('garbage'), tokenFile: file('missing') },
        { issuer, usableBy, jwksUri, tokenFile: file('garbage') },
      ),
      ({ message }: Error) => {
        for (const problem of [
          `clients.assertionIssuers[0].jwksFile (${file('garbage')}): is not JSON`,
          `clients.assertionIssuers[1].caFile (${file('garbage')}): has no certificate`,
          `clients.assertionIssuers[1].tokenFile (${file('missing')}): cannot be read: ENOENT`,
          `clients.assertionIssuers[2].tokenFile (${file('garbage')}): has no bearer token`,
        ])
          assert.ok(message.includes(problem), `${problem}\n${message}`);
        return !message.includes('secret-part');
      },
    );
  });
});
