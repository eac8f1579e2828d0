import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { toPrincipal } from '../../src/logins/resource-owner-row.ts';

describe('a principal that is read', () => {
  it('shares no member with another principal that a module could change', () => {
    const { roles, groups, attributes } = toPrincipal('{"name":"emma"}');
    for (const list of [roles, groups]) assert.throws(() => (list as string[]).push('admins'), TypeError);
    assert.throws(() => Object.assign(attributes, { MAIL: 'emma@example.com' }), TypeError);
    const other = toPrincipal('{"name":"finn"}');
    assert.deepEqual([other.roles, other.groups, other.attributes], [[], [], {}]);
  });
});
