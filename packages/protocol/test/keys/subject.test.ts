import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { describe, it } from 'node:test';
import { type IdentifiedUser, subjectOf } from '../../src/keys/subject.ts';

const key = Buffer.alloc(32, 7);

function person(overrides: Partial<IdentifiedUser> = {}): IdentifiedUser {
  return { identityProvider: 'https://idp.example', stableId: 'é-1', name: 'emma', ...overrides };
}

describe('a subject', () => {
  it('is the HMAC-SHA-256 of length-prefixed identity provider, kind and identifier in UTF-8', () => {
    const parts = Buffer.from(
      '\0\0\0\x13https://idp.example\0\0\0\x02id\0\0\0\x04'.concat(Buffer.from('é-1').toString('latin1')),
      'latin1',
    );
    const expected = createHmac('sha256', key).update(parts).digest('base64url');
    assert.equal(subjectOf(key, person()), expected);
  });

  it('has 43 characters of base64url, for any identity', () => {
    for (const each of [person(), person({ stableId: undefined }), person({ name: 'x'.repeat(100_000) })]) {
      assert.match(subjectOf(key, each), /^[A-Za-z0-9_-]{43}$/);
    }
  });

  it('stays the same when a person with a stable id has another name', () => {
    assert.equal(subjectOf(key, person()), subjectOf(key, person({ name: 'emma.married' })));
  });

  it('is another for each person, at another identity provider and under another key', () => {
    const people = [
      person(),
      person({ stableId: 'é-2' }),
      person({ stableId: 'e\u0301-1' }),
      person({ stableId: 'É-1' }),
      person({ identityProvider: 'https://other.example' }),
      person({ stableId: undefined }),
      person({ stableId: undefined, name: 'Emma' }),
      // Long identifiers that end alike.
      person({ stableId: 'one-0123456789abcdef' }),
      person({ stableId: 'two-0123456789abcdef' }),
      // A name that equals the stable id of another person.
      person({ stableId: undefined, name: 'é-1' }),
      // The same text, split elsewhere.
      person({ identityProvider: 'a', stableId: 'bc' }),
      person({ identityProvider: 'ab', stableId: 'c' }),
      person({ identityProvider: 'a\0\0\0\x02id', stableId: 'b' }),
      person({ identityProvider: 'a', stableId: 'id\0\0\0\x01b' }),
    ];
    const subjects = people.map((each) => subjectOf(key, each));
    assert.equal(new Set(subjects).size, people.length);
    assert.deepEqual(
      people.map((each) => subjectOf(key, each)),
      subjects,
    );
    assert.notEqual(subjectOf(Buffer.alloc(32, 8), person()), subjectOf(key, person()));
  });
});
