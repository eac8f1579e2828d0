import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { importedHash } from '@watchword/accounts';
import { cheapCost } from '@watchword/server-testkit/servers/server';
import { seededRandom } from '@watchword/testkit';
import { argon2Hasher } from '../../src/modules/authentication/password-hasher.ts';
import { loginDependencies, outcome } from '../support/login-dependencies.ts';

const password = 'correct horse é';

// Each made by the product that it names, or by its documented form, from this password.
const hashes: Readonly<Record<string, unknown>> = {
  'Django PBKDF2': 'pbkdf2_sha256$1000$seasalt$B4Z5Cum0PMgRdOBgciYsdCAY1DcYMltvBCObhdQxhHU=',
  'Django PBKDF2-SHA1': 'pbkdf2_sha1$1000$seasalt$3/+6zOHsXz7ZaZ/nyarCq9B2DZI=',
  'Django bcrypt of SHA-256': 'bcrypt_sha256$$2b$04$3U8WRj45F6K..3p37uqufeVWyhI2aOhmafyU1FoAvd9AI7Yk1yMXq',
  'Django bcrypt': 'bcrypt$$2b$04$eqCiexSExMMaKp49XbAm8Oi.QIottp1xR.PIK0lcTMKbi8Rn2t4Di',
  'Django scrypt':
    'scrypt$16$seasalt$8$2$TsezJciSY7OSz8ucVc3JIX4Gc7M9ygPFBJjJrKLty2akTRW5Ahd+fZ4UTuK2jFxr0Y5zb+FW0iH9YUAXuHffLQ==',
  'Django Argon2':
    'argon2$argon2id$v=19$m=64,t=1,p=2$ZVhzTE41VTREYTJtNmNkT0ZPTmswdw$zMpRSQ/yvzIfQiKVFs4FaNKp1qrjz83moLi0xKlgJqQ',
  'passlib PBKDF2-SHA256': '$pbkdf2-sha256$1000$.//.c2FsdHk$iGpTIsKfAPITMV6H8TH92NOfLMyP.qNdZL09e2tBJjc',
  'passlib PBKDF2-SHA1': '$pbkdf2$1000$.//.c2FsdHk$fBiMAxwdC2gIBlCBfEbF1ysFpj8',
  'passlib PBKDF2-SHA512':
    '$pbkdf2-sha512$1000$.//.c2FsdHk$vS0IiG94dgy552gTHEdzGmqytAEMHXouClDTWSMH0Ypo.BdljI9/6pATbFPvqBICnxsAEFr687zf8xXDxc29Vw',
  'passlib scrypt': '$scrypt$ln=4,r=8,p=1$m3Ou1bo3prTWOgegdC6FcA$eOaJDev3W30tIkVruEy4KD9ISq+awDg5leBD7+qpqcU',
  'LDAP PBKDF2-SHA256':
    '{PBKDF2-SHA256}1000$uZfSmrNWirG29v7fu7cWAg$9ZyOt6qPpthVTIjSb/rqBIc1KYC4T088inIPitVMDug',
  'LDAP PBKDF2': '{PBKDF2}1000$EGLs/Z/TmlPK.X9vDaE0hg$30.RqdM7SI2vajVTKUo/FydA8SI',
  'Werkzeug PBKDF2':
    'pbkdf2:sha256:1000$WejtJDuVvBMd1szE$970db78b7fbde737e376d7d5f0fceb4a5a5f530639432e3c23a568c5aebaf495',
  'Werkzeug scrypt':
    'scrypt:1024:8:1$QZiURoEfvGIKSOjh$f0cc22d5360ad99b26a3c13e1433e55035e3058980e580ed64cc3c2255f27bd85e00c898ca062d5964553a413389f981738f4451e7d3a1805884dc8dc2e61fa6',
  bcrypt: '$2b$04$PqFdEbBRaACnkQtzfv3F3.ROpucXkFx2e9R4f6V11eG9V74gll0.q',
  'bcrypt of PHP': '$2y$04$PqFdEbBRaACnkQtzfv3F3.ROpucXkFx2e9R4f6V11eG9V74gll0.q',
  'bcrypt of Spring Security': '{bcrypt}$2a$04$PqFdEbBRaACnkQtzfv3F3.ROpucXkFx2e9R4f6V11eG9V74gll0.q',
  Argon2id: '$argon2id$v=19$m=64,t=1,p=1$vXEAbagpnYZz0RG2n1+/Kg$AYra+E8HC4tIjYJfdkf+9mjA9uwdiEGqjV/cu81eRHQ',
  Argon2i: '$argon2i$v=19$m=64,t=1,p=1$sr6uKlGTl9W07kPLx6Nz5g$4gOFbIKCuz/gGEPBbkKQRbqpN4Qgp3fqKJou0lQpJYk',
  Argon2d: '$argon2d$v=19$m=64,t=1,p=1$w5jd3BJnCCkJLuBh3aEIGQ$28mpBOhZghnLiqikcrv5ZaoiziISqAC9lNs7fVRMe2k',
  'ASP.NET Core Identity 3':
    'AQAAAAIAAAPoAAAAEAABAgMEBQYHCAkKCwwNDg9Wxe9BYRsLDOgcIE23aYwvjix/P7h8lm4vRafjuJ87Pw==',
  'ASP.NET Core Identity 2': 'AAABAgMEBQYHCAkKCwwNDg9tU81JvBoF52JRfNK0xVDHE0Vn9mr6NPNt9F0r2xxy8g==',
  'Keycloak pbkdf2': {
    secretData:
      '{"value": "bVPNSbwaBediUXzStMVQxxNFZ/Zq+jTzbfRdK9sccvLAhuBkU+nnTBDgFwRqSiGvLRwelfnne6SB+VpBJ75ZUQ==", "salt": "AAECAwQFBgcICQoLDA0ODw==", "additionalParameters": {}}',
    credentialData: '{"hashIterations": 1000, "algorithm": "pbkdf2", "additionalParameters": {}}',
  },
  'Keycloak pbkdf2-sha256': {
    secretData:
      '{"value": "cNDzb7yPqje6jbqQunfY1GpDX3Nkk8KLS7zNUXxwQVT4De1EZNLNYsE/1z/EPrFTLOOscx05nerJmZpRn/IQZg==", "salt": "AAECAwQFBgcICQoLDA0ODw==", "additionalParameters": {}}',
    credentialData: '{"hashIterations": 1000, "algorithm": "pbkdf2-sha256", "additionalParameters": {}}',
  },
  'Keycloak pbkdf2-sha512': {
    secretData:
      '{"value": "VsXvQWEbCwzoHCBNt2mML44sfz+4fJZuL0Wn47ifOz/pgIRvOlYqbD84GHnCiLN3erIxNhGh0IYgnqsU4k46WQ==", "salt": "AAECAwQFBgcICQoLDA0ODw==", "additionalParameters": {}}',
    credentialData: '{"hashIterations": 1000, "algorithm": "pbkdf2-sha512", "additionalParameters": {}}',
  },
  'Keycloak argon2': {
    secretData:
      '{"value": "l2PyDmF3Vet7IkmIQ3UKkOzV7ZZ1KAFoosEkWxQMHpo=", "salt": "AAECAwQFBgcICQoLDA0ODw==", "additionalParameters": {}}',
    credentialData:
      '{"hashIterations": 1, "algorithm": "argon2", "additionalParameters": {"hashLength": ["32"], "memory": ["64"], "type": ["id"], "version": ["1.3"], "parallelism": ["1"]}}',
  },
};

const hasher = argon2Hasher({ random: seededRandom(), concurrency: 1, cost: cheapCost });

/** The hash as it is stored. */
function stored(given: unknown): string {
  const read = importedHash(given);
  assert.ok('hash' in read, JSON.stringify(read));
  return read.hash;
}

function problem(given: unknown): string {
  const read = importedHash(given);
  assert.ok('problem' in read, 'expected a problem');
  return read.problem;
}

describe('an imported hash', () => {
  for (const [product, given] of Object.entries(hashes)) {
    it(`of ${product} matches its password only, and is replaced at a login`, async () => {
      const hash = stored(given);
      assert.ok(await hasher.matches(password, hash));
      assert.ok(!(await hasher.matches('correct horse e', hash)));
      assert.ok(hasher.isOutdated(hash));
      assert.equal(stored(hash), hash);
    });
  }

  it('is replaced by a hash of this server at the first right login, which ends no session', async () => {
    await using deps = await loginDependencies({ store: 'SQLite' });
    const imported = stored(hashes.bcrypt);
    await deps.accounts.replaceHash('emma', deps.emma.passwordHash ?? '', imported);
    assert.equal(outcome(await deps.logIn('emma', 'wrong')), 'login.wrong 403');
    assert.equal((await deps.accounts.find('emma'))?.passwordHash, imported);
    assert.equal(outcome(await deps.logIn('emma', password)), 'is emma');
    const replaced = await deps.accounts.find('emma');
    assert.match(replaced?.passwordHash ?? '', /^\$argon2id\$/);
    assert.equal(replaced?.revision, deps.emma.revision);
    assert.equal(outcome(await deps.logIn('emma', password)), 'is emma');
  });

  it('of bcrypt of Dovecot is stored as bcrypt', () => {
    assert.equal(stored(`{BLF-CRYPT}${hashes.bcrypt}`), hashes.bcrypt);
  });

  it('is of the text as it was typed', async () => {
    // bcrypt of a ligature, which NFKC makes two letters.
    const hash = stored('$2b$04$OIZpOuKIaMNHuN8OyN/Xn.n2k8rn5ZR/isitAlBqA4RSAQOndZvqS');
    assert.ok(await hasher.matches('\ufb01ne words', hash));
  });

  it('keeps the first block of a long PBKDF2 hash, which has all of its strength', () => {
    const hash = stored(hashes['Keycloak pbkdf2-sha256']);
    assert.equal(hash.split('$').at(-1)?.length, 43);
  });

  it('that would cost a login more than about a second is refused, with its limit', () => {
    const salt = 'c2FsdHNhbHRzYWx0c2FsdA';
    const tag = 'c2FsdHNhbHRzYWx0c2FsdHNhbHRzYWx0c2FsdHNhbHQ';
    for (const [given, told] of [
      [`$2b$14$${'a'.repeat(53)}`, 'expected the cost of bcrypt to be 4 to 13, got 14'],
      [`$2b$03$${'a'.repeat(53)}`, 'got 3'],
      [`pbkdf2_sha256$2000001$salt$${tag}`, 'iterations of PBKDF2 to be 1 to 2000000, got 2000001'],
      [`pbkdf2_sha256$0$salt$${tag}`, 'got 0'],
      [`$scrypt$ln=18,r=16,p=1$${salt}$${tag}`, 'memory of scrypt in KiB to be 0 to 262144, got 524288'],
      [`$scrypt$ln=17,r=8,p=9$${salt}$${tag}`, 'N * r * p / 8 of scrypt to be 0 to 262144, got 1179648'],
      [`$scrypt$ln=16,r=1,p=1$${salt}$${tag}`, 'N of scrypt, as a power of 2, to be 1 to 15, got 16'],
      [`$scrypt$ln=99,r=8,p=1$${salt}$${tag}`, 'to be 1 to 20, got 99'],
      [`$argon2id$v=19$m=262145,t=1,p=1$${salt}$${tag}`, 'memory of Argon2 in KiB to be 8 to 262144'],
      [`$argon2id$v=19$m=262144,t=5,p=1$${salt}$${tag}`, 'memory times passes of Argon2'],
      [`$argon2id$v=19$m=64,t=0,p=1$${salt}$${tag}`, 'memory times passes of Argon2'],
      [`$argon2id$v=19$m=1024,t=1,p=17$${salt}$${tag}`, 'parallelism of Argon2 to be 1 to 16'],
      [`$argon2id$v=19$m=64,t=1,p=0$${salt}$${tag}`, 'parallelism of Argon2 to be 1 to 16, got 0'],
      [`$argon2id$v=19$m=64,t=1,p=1$c2Fs$${tag}`, 'bytes of the salt to be 8 to 128, got 3'],
      [`pbkdf2:sha256:1000$salt$00ff`, 'bytes of the hash to be 16 to 128, got 2'],
    ] as const) {
      assert.ok(problem(given).includes(told), `${given}: ${problem(given)}`);
    }
  });

  it('at the limits can be computed', async () => {
    const salt = 'c2FsdHNhbHRzYWx0c2FsdA';
    const tag = 'c2FsdHNhbHRzYWx0c2FsdHNhbHRzYWx0c2FsdHNhbHQ';
    for (const given of [
      `$scrypt$ln=15,r=1,p=1$${salt}$${tag}`,
      `$scrypt$ln=1,r=64,p=64$${salt}$${tag}`,
      `$argon2id$v=19$m=128,t=1,p=16$${salt}$${tag}`,
      `$2b$04$${'a'.repeat(53)}`,
    ]) {
      assert.ok(!(await hasher.matches(password, stored(given))), given);
    }
  });

  it('of another form is refused by its name, and no refusal contains the hash', () => {
    for (const [given, told] of [
      ['$6$secretsalt$secretsecretsecret', 'got SHA-512-crypt hash'],
      ['{CRYPT}$1$secret$secret', 'got MD5-crypt hash'],
      ['{SSHA}secretsecretsecret', 'got a fast hash'],
      ['$y$j9T$secret$secret', 'got a yescrypt hash'],
      ['$2x$10$secretsecretsecret', 'bcrypt with the error of 2011'],
      ['$argon2id$v=16$m=64,t=1,p=1$secretsecret$secretsecretsecretsecret', 'Argon2 of version 1.0'],
      ['secret', 'got another text'],
      ['5ebe2294ecd0e0f08eab7690d2a6ee69', 'got another text'],
      ['$secret$', 'got another text'],
      ['', 'got another text'],
      [7, 'got another text'],
      [null, 'got another text'],
      [
        { secretData: '{"value":"secret","salt":"secret"}', credentialData: '{"algorithm":"md5"}' },
        'another',
      ],
      [{ secretData: 'secret', credentialData: 7 }, 'another'],
      [['secret'], 'another'],
    ] as const) {
      const found = problem(given);
      assert.ok(found.includes(told), `${JSON.stringify(given)}: ${found}`);
      assert.doesNotMatch(found, /secret|5ebe/);
    }
  });

  it('of any text is read in time that grows with its length', () => {
    for (const text of ['$'.repeat(100_000), 'A'.repeat(100_000), `pbkdf2_sha256$1$${'a'.repeat(100_000)}`]) {
      assert.ok(problem(text));
    }
  });
});

describe('a login with a name that no account has', () => {
  it('costs what the login of an account costs, always the same one for a name', async () => {
    await using deps = await loginDependencies({ store: 'SQLite' });
    const [bcrypt, own] = [stored(hashes.bcrypt), deps.emma.passwordHash ?? ''];
    for (let each = 0; each < 8; each += 1) {
      const passwordHash = each % 2 === 0 ? bcrypt : own;
      const fields = { username: `person ${each}`, id: String.fromCharCode(48 + each * 9), passwordHash };
      assert.ok(await deps.accounts.create({ ...deps.emma, ...fields }));
    }
    const hashesOf = async (username: string) => {
      deps.hashed.length = 0;
      assert.equal(outcome(await deps.logIn(username, password)), 'login.wrong 403');
      return [...deps.hashed];
    };
    const names = Array.from({ length: 6 }, (_, index) => `nobody ${index}`);
    const first = await Promise.all([hashesOf(names[0] ?? '')]);
    assert.deepEqual(await hashesOf(names[0] ?? ''), first[0]);
    const computed = new Set<string>();
    for (const name of names) for (const hash of await hashesOf(name)) computed.add(hash);
    assert.ok(computed.has(bcrypt) && computed.has(own), `expected both kinds, got ${computed.size}`);
  });
});
