import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describedScopes, scopesOf } from '../../src/rules/scope-descriptions.ts';

const before = [
  { name: 'read', description: 'Read', descriptions: { nl: 'Lezen' } },
  { name: 'gone', description: 'Gone' },
];

describe('the scopes that a request sets', () => {
  it('keep their descriptions when they are named alone, and lose them with the scope', () => {
    const { scopes, scopeDescriptions } = scopesOf([{ name: 'new' }, { name: 'read' }], before);
    assert.deepEqual([scopes, scopeDescriptions], [['new', 'read'], [before[0]]]);
  });

  it('have the description of the request as a whole, in canonical form', () => {
    const submitted = [{ name: 'read', descriptions: { 'pt-br': 'Ler', DE: 'Lesen', fr: '' } }];
    const [described] = scopesOf(submitted, before).scopeDescriptions;
    assert.equal(JSON.stringify(described), '{"name":"read","descriptions":{"de":"Lesen","pt-BR":"Ler"}}');
    assert.deepEqual(scopesOf([{ name: 'read', description: '' }], before).scopeDescriptions, []);
  });

  it('are named once, with the last description', () => {
    const twice = [{ name: 'a', description: '1' }, { name: 'a' }, { name: 'a', description: '2' }];
    assert.deepEqual(scopesOf(twice, []), {
      scopes: ['a'],
      scopeDescriptions: [{ name: 'a', description: '2' }],
    });
  });

  it('keep a text that is no language tag, so that it is reported, and names of a prototype', () => {
    const descriptions = JSON.parse('{"__proto__": "x", "no tag": "y"}');
    const [described] = scopesOf([{ name: 'constructor', descriptions }], []).scopeDescriptions;
    assert.deepEqual(Object.keys(described?.descriptions ?? {}).toSorted(), ['__proto__', 'no tag']);
  });

  it('are all shown as objects, with a description where there is one', () => {
    assert.deepEqual(describedScopes(['x', 'read'], before), [{ name: 'x' }, before[0]]);
  });
});
