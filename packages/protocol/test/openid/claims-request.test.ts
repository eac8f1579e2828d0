import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RedirectableError } from '../../src/model/errors/errors.ts';
import { acceptedValues, readClaimsRequest } from '../../src/openid/claims-request.ts';

const known = (claim: string) => ['sub', 'name', 'email', 'acr'].includes(claim);

function read(claims: unknown) {
  return readClaimsRequest(typeof claims === 'string' ? claims : JSON.stringify(claims), known);
}

describe('the parameter claims', () => {
  it('has voluntary and essential claims of userinfo and ID token', () => {
    const claims = {
      userinfo: { name: null, email: { essential: true } },
      id_token: { acr: { essential: true, values: ['a', 'b'] }, sub: { value: '42' } },
    };
    assert.deepEqual(read(claims), claims);
  });

  it('ignores claims and members that the server does not know', () => {
    const asked = {
      userinfo: { name: { essential: false, purpose: 'x' }, shoe_size: null },
      other: { name: 1 },
    };
    assert.deepEqual(read(asked), { userinfo: { name: { essential: false } } });
    assert.deepEqual(read('{"id_token":{"__proto__":{"essential":true},"name":null}}'), {
      id_token: { name: null },
    });
  });

  it('is the same as absent when no claim of the server is left', () => {
    for (const claims of [{}, { userinfo: {} }, { userinfo: null }, { id_token: { shoe_size: null } }]) {
      assert.equal(read(claims), undefined);
    }
  });

  it('is refused when it does not have the form of OpenID Connect Core §5.5', () => {
    const tooMany = Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`claim${n}`, null]));
    for (const claims of [
      'no JSON',
      '[]',
      '"name"',
      'null',
      { userinfo: [] },
      { id_token: 'name' },
      { userinfo: { name: true } },
      { userinfo: { name: { essential: 'yes' } } },
      { id_token: { acr: { value: { a: 1 } } } },
      { id_token: { acr: { values: 'a' } } },
      { id_token: { acr: { values: [] } } },
      { id_token: { acr: { values: [null] } } },
      { userinfo: tooMany },
    ]) {
      const error = read(claims);
      assert.ok(error instanceof RedirectableError, JSON.stringify(claims));
      assert.equal(error.kind, 'invalid_request');
      assert.match(error.message, /^The parameter claims must have /);
    }
  });

  it('has up to a hundred claims in each part, and a hundred values of a claim, all of which are values', () => {
    const claims = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [n === 0 ? 'name' : `claim${n}`, null]));
    const values = (count: number) => ({ name: { values: Array.from({ length: count }, () => 'a') } });
    for (const userinfo of [claims(100), values(100)]) {
      assert.deepEqual(Object.keys(Object(read({ userinfo })).userinfo), ['name']);
    }
    for (const userinfo of [claims(101), values(101), { name: { values: ['a', null] } }]) {
      assert.ok(read({ userinfo }) instanceof RedirectableError, JSON.stringify(userinfo).slice(0, 50));
    }
  });

  it('accepts one value, one of several, or any', () => {
    assert.deepEqual(acceptedValues({ value: 'a' }), ['a']);
    assert.deepEqual(acceptedValues({ values: ['a', 'b'] }), ['a', 'b']);
    assert.equal(acceptedValues({ essential: true }), undefined);
    assert.equal(acceptedValues(null), undefined);
    assert.equal(acceptedValues(undefined), undefined);
  });
});
