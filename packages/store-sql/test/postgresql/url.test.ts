import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseUrl, shownUrl } from '../../src/dialects/postgresql/connection/url.ts';
import { DatabaseOpenError } from '../../src/schema/database-open-error.ts';

const password = 's3cret/with?odd#characters@and:colons%';
const encoded = encodeURIComponent(password);

describe('the URL of a PostgreSQL database', () => {
  it('names user, password, host, port and database', () => {
    const { hosts, ...url } = parseUrl(`postgres://ww:${encoded}@db.example:6432/watchword`);
    assert.deepEqual(hosts, [{ name: 'db.example', port: 6432 }]);
    assert.deepEqual([url.user, url.password, url.database], ['ww', password, 'watchword']);
    assert.deepEqual([url.sslMode, url.targetSession], ['prefer', 'read-write']);
  });

  it('names several hosts in the order in which they are tried', () => {
    assert.deepEqual(parseUrl('postgresql://ww@a:1,b,[2001:db8::1]:3,%2Frun%2Fpostgresql/d').hosts, [
      { name: 'a', port: 1 },
      { name: 'b', port: 5432 },
      { name: '2001:db8::1', port: 3 },
      { name: '/run/postgresql', port: 5432 },
    ]);
  });

  it('has the parameters of libpq that this release uses', () => {
    const url = parseUrl(
      'postgres://ww@h/d?sslmode=verify-full&sslrootcert=%2Fca.pem&sslcert=c&sslkey=k&application_name=a%20b&target_session_attrs=primary',
    );
    assert.deepEqual(
      [url.sslMode, url.sslRootCert, url.sslCert, url.sslKey, url.applicationName, url.targetSession],
      ['verify-full', '/ca.pem', 'c', 'k', 'a b', 'primary'],
    );
  });

  for (const [wrong, reason] of [
    ['postgres://ww@h', /names no database/],
    ['postgres://ww@h/', /names no database/],
    ['postgres://h/d', /names no user/],
    ['postgres://:x@h/d', /names no user/],
    ['postgres://ww@/d', /names no host/],
    ['postgres://ww@h:0/d', /port from 1 to 65535/],
    ['postgres://ww@h:99999/d', /port from 1 to 65535/],
    ['postgres://ww@a,,b/d', /not a name or an address/],
    ['postgres://ww@::1/d', /not a name or an address/],
    ['postgres://ww@h/d/e', /another form/],
    ['postgres://ww@h/d#x', /another form/],
    ['postgres://ww@h/d?sslmode=on', /sslmode is none of disable, prefer, require, verify-ca, verify-full/],
    ['postgres://ww@h/d?sslmode=require&sslmode=require', /sslmode is repeated/],
    ['postgres://ww@h/d?sslMode=require', /unknown parameter sslMode \(did you mean sslmode\?\)/],
    ['postgres://ww@h/d?target_session=x', /did you mean target_session_attrs\?/],
    ['postgres://ww@h/d?pool=3', /unknown parameter pool; known are sslmode/],
    ['postgres://ww@h/d?password=x', /PGPASSWORD/],
    ['postgres://ww@h/d?options=-c%20x', /ALTER ROLE/],
    ['postgres://ww@h/100%', /write %25/],
    ['mysql://ww@h/d', /another form/],
  ] as const) {
    it(`is rejected with its reason: ${wrong}`, () => {
      assert.throws(
        () => parseUrl(wrong),
        (error) => {
          assert.ok(error instanceof DatabaseOpenError);
          assert.match(error.message, reason);
          return true;
        },
      );
    });
  }

  it('is shown without its password and its parameters', () => {
    assert.equal(
      shownUrl(`postgresql://w%40w:${encoded}@a:1,[::1]/d?sslmode=require&application_name=x`),
      'postgres://w%40w@a:1,[::1]/d',
    );
  });

  it('never has its password in an error or in what is shown, also when it is not percent-encoded', () => {
    const secret = 'hunter2secret';
    for (const url of [
      `postgres://ww:${secret}/x@h/d`,
      `postgres://ww:${secret}#x@h/d`,
      `postgres://ww:${secret}?x@h/d`,
      `postgres://ww:${secret}/d`,
      `postgres://ww:%${secret}@h/d`,
      `postgres://ww:${secret}@h:x/d`,
      `postgres://ww:${secret}@h/d?sslmode=${secret}`,
      `postgres://ww:x@h/d?sslmode=require&password=${secret}`,
    ]) {
      assert.ok(!shownUrl(url).includes(secret), url);
      assert.throws(
        () => parseUrl(url),
        (error) => !inspectAll(error).includes(secret),
        url,
      );
    }
  });
});

function inspectAll(error: unknown): string {
  return error instanceof Error ? `${error.message} ${error.stack} ${String(error.cause)}` : String(error);
}
