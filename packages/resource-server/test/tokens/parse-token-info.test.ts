import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type TokenInfo, withJavaTypeInformation } from '@watchword/protocol';
import fc from 'fast-check';
import { AnswerError, parseTokenInfo } from '../../src/lookup/parse-token-info.ts';
import { emma } from '../support/authorization-server.ts';

const texts = fc.array(fc.string());
const tokenInfos: fc.Arbitrary<TokenInfo> = fc.record({
  audience: fc.string(),
  scopes: texts,
  principal: fc.record({
    name: fc.string({ minLength: 1 }),
    roles: texts,
    groups: texts,
    adminPrincipal: fc.boolean(),
    attributes: fc.dictionary(fc.oneof(fc.string(), fc.constant('__proto__')), fc.string(), {
      noNullPrototype: true,
    }),
  }),
  expires_in: fc.nat({ max: Number.MAX_SAFE_INTEGER }),
});

const boundInfos: fc.Arbitrary<TokenInfo> = fc
  .tuple(tokenInfos, fc.record({ jkt: fc.string(), 'x5t#S256': fc.string() }, { requiredKeys: [] }))
  .map(([info, cnf]) => ({ ...info, cnf }));

const toldInfos: fc.Arbitrary<TokenInfo> = fc
  .tuple(
    tokenInfos,
    fc.record({ auth_time: fc.option(fc.nat()), acr: fc.string() }, { requiredKeys: ['auth_time'] }),
  )
  .map(([info, login]) => ({ ...info, ...login }));

const overTheWire = (value: unknown) => JSON.parse(JSON.stringify(value));

describe('an answer of token info', () => {
  it('is read as the server wrote it, in both forms', () => {
    fc.assert(
      fc.property(fc.oneof(tokenInfos, boundInfos, toldInfos), (info) => {
        const expected = overTheWire(info);
        assert.deepEqual(parseTokenInfo(overTheWire(info), false), expected);
        assert.deepEqual(parseTokenInfo(overTheWire(withJavaTypeInformation(info)), true), expected);
      }),
    );
  });

  it('is read in the configured form only', () => {
    fc.assert(
      fc.property(tokenInfos, (info) => {
        assert.throws(() => parseTokenInfo(overTheWire(info), true), AnswerError);
        assert.throws(() => parseTokenInfo(overTheWire(withJavaTypeInformation(info)), false), AnswerError);
      }),
    );
    assert.throws(() => parseTokenInfo(withJavaTypeInformation(emma), false), /set jsonTypeInfoIncluded/);
    assert.throws(() => parseTokenInfo(emma, true), /do not set jsonTypeInfoIncluded/);
  });

  it('that is any other JSON is rejected with the one error', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.boolean(), (value, typed) => {
        assert.throws(() => parseTokenInfo(value, typed), AnswerError);
      }),
    );
  });

  for (const [what, change] of [
    ['no audience', { audience: undefined }],
    ['the time of the login in a text', { auth_time: '1373178401' }],
    ['a time before all times', { auth_time: -1 }],
    ['an acr that is no text', { auth_time: 1, acr: ['gold'] }],
    ['scopes in one text', { scopes: 'read write' }],
    ['a scope that is no text', { scopes: ['read', 1] }],
    ['no principal', { principal: null }],
    ['an empty name', { principal: { ...emma.principal, name: '' } }],
    ['roles that are no list', { principal: { ...emma.principal, roles: { 0: 'admin' } } }],
    ['groups with null in them', { principal: { ...emma.principal, groups: [null] } }],
    ['a flag that is a text', { principal: { ...emma.principal, adminPrincipal: 'false' } }],
    ['an attribute that is no text', { principal: { ...emma.principal, attributes: { a: {} } } }],
    ['attributes in a list', { principal: { ...emma.principal, attributes: ['a'] } }],
    ['no expiry', { expires_in: undefined }],
    ['a confirmation that is a text', { cnf: 'thumbprint' }],
    ['a confirmation that is null', { cnf: null }],
    ['a thumbprint that is no text', { cnf: { jkt: 7 } }],
    ['an expiry that is a text', { expires_in: '0' }],
    ['an expiry below 0', { expires_in: -1 }],
    ['an expiry with a fraction', { expires_in: 1.5 }],
    ['an expiry beyond whole numbers', { expires_in: 2 ** 60 }],
  ] as const) {
    it(`with ${what} is rejected`, () => {
      assert.throws(() => parseTokenInfo({ ...emma, ...change }, false), AnswerError);
    });
  }

  it('with names that are unknown is read without them', () => {
    assert.deepEqual(parseTokenInfo({ ...emma, later: true }, false), emma);
  });

  it('keeps a confirmation whose method is unknown, without the method', () => {
    assert.deepEqual(parseTokenInfo({ ...emma, cnf: { jwk: {} } }, false).cnf, {});
  });

  it('is frozen at every depth, because requests share it', () => {
    const info = parseTokenInfo(
      { ...emma, principal: { ...emma.principal, attributes: { a: 'b' } }, cnf: { jkt: 'c' } },
      false,
    );
    const { principal } = info;
    for (const part of [
      info,
      info.scopes,
      info.cnf,
      principal,
      principal.roles,
      principal.groups,
      principal.attributes,
    ]) {
      assert.ok(Object.isFrozen(part));
    }
  });

  it('cannot change a prototype by the name of an attribute', () => {
    const attributes = JSON.parse('{"__proto__": "x", "constructor": "y"}');
    const { principal } = parseTokenInfo({ ...emma, principal: { ...emma.principal, attributes } }, false);
    assert.deepEqual(Object.keys(principal.attributes), ['__proto__', 'constructor']);
    assert.equal(Object.getPrototypeOf(principal.attributes), Object.prototype);
  });

  it('is not repeated in the message of its rejection', () => {
    const secret = 'emma@example.com';
    for (const value of [secret, [secret], { audience: { secret } }]) {
      assert.throws(
        () => parseTokenInfo(value, false),
        (error) => error instanceof AnswerError && !error.message.includes(secret),
      );
    }
  });
});
