import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isScopeToken } from '../../src/model/scope.ts';
import {
  answeredScope,
  isFor,
  isTargeted,
  kept,
  marksOf,
  memberOf,
  namesAt,
  namesOf,
  scopeAt,
  targetsOf,
  withNames,
  withoutResources,
} from '../../src/model/targeted-scope.ts';

const uri = 'https://api.example/a';
const several = ['\\', `5\\\\${uri}`, '5\\\\https://api.example/b', 'read', '5\\read', '5\\write', 'openid'];

describe('an array with the scopes of several resource servers', () => {
  it('has no member that could be a scope, but for those of the home and of OpenID Connect', () => {
    for (const member of several) {
      assert.equal(isScopeToken(member), ['read', 'openid'].includes(member), member);
    }
  });

  it('says for which resource servers it is, and by which URIs the client named them', () => {
    assert.deepEqual(targetsOf(several), [
      { id: undefined, resources: [] },
      { id: 5, resources: [uri, 'https://api.example/b'] },
    ]);
    assert.deepEqual([isFor(several, undefined), isFor(several, 5), isFor(several, 6)], [true, true, false]);
  });

  it('is for the home alone if it marks none', () => {
    for (const scopes of [[], ['read'], ['openid', 'read']]) {
      assert.equal(targetsOf(scopes), undefined);
      assert.deepEqual(
        [isFor(scopes, undefined), isFor(scopes, 5), isTargeted(scopes)],
        [true, false, false],
      );
    }
  });

  it('is not for the home if it marks others alone, whatever names it has', () => {
    assert.equal(isFor(['5\\', 'read'], undefined), false);
    assert.deepEqual(targetsOf(['5\\', 'read']), [{ id: 5, resources: [] }]);
  });

  it('keeps the scopes of one name apart', () => {
    assert.deepEqual(namesAt(several, 5), ['read', 'write']);
    assert.deepEqual(namesAt(several, undefined), ['read', 'openid']);
    assert.deepEqual(namesAt(several, 50), []);
  });

  it('is answered by names alone, each once', () => {
    assert.equal(answeredScope(several), 'read write openid');
    assert.deepEqual(namesOf(['a', 'b']), ['a', 'b']);
  });

  it('is narrowed to names without another resource server', () => {
    assert.deepEqual(withNames(several, ['read']), [...several.slice(0, 3), 'read', '5\\read']);
    assert.deepEqual(withNames(['a', 'b'], ['b']), ['b']);
  });

  it('loses the URIs that the client named, and no resource server', () => {
    assert.deepEqual(withoutResources(several), ['\\', '5\\', 'read', '5\\read', '5\\write', 'openid']);
  });

  it('is for none if it loses all of its own, and stays so', () => {
    const left = kept(['5\\', '5\\read', 'openid'], ({ id }) => id === undefined);
    assert.deepEqual(targetsOf(left), []);
    assert.equal(isFor(left, undefined), false);
    assert.deepEqual(namesOf(left), ['openid']);
    assert.deepEqual(
      kept(left, () => true),
      left,
    );
  });

  it('is written as it is read', () => {
    for (const target of targetsOf(several) ?? []) {
      assert.deepEqual(targetsOf(marksOf(target)), [target]);
      assert.deepEqual(memberOf(scopeAt(target.id, 'a:b')), { id: target.id, scope: 'a:b' });
    }
  });
});
