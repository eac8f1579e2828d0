import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Draft, draftWith, foreignChanges, isDraft, rebased } from '../src/forms/draft.ts';

interface Fields {
  readonly name: string;
  readonly note: string;
  readonly scopes: readonly string[];
}

const first = { typed: { name: 'a', note: '', scopes: ['read'] }, version: '1' };
const typedOver = (changes: Partial<Fields>): Draft<Fields> =>
  draftWith<Fields>(undefined, first, changes) ?? assert.fail('nothing differs');

describe('a draft', () => {
  it('keeps the version of the record at its first change', () => {
    const draft = draftWith(
      typedOver({ name: 'b' }),
      { typed: { ...first.typed, note: 'x' }, version: '2' },
      {
        scopes: [],
      },
    );
    assert.deepEqual(draft, { base: first.typed, version: '1', changes: { name: 'b', scopes: [] } });
  });

  it('is removed when every value equals the record again', () => {
    const draft = typedOver({ name: 'b', scopes: ['read', 'write'] });
    assert.deepEqual(draftWith(draft, first, { name: 'a' })?.changes, { scopes: ['read', 'write'] });
    assert.equal(draftWith(draft, first, { name: 'a', scopes: ['read'] }), undefined);
  });

  it('shows the changes of another user, and the conflicts', () => {
    const theirs = { typed: { name: 'c', note: 'theirs', scopes: ['read'] }, version: '2' };
    assert.deepEqual(foreignChanges(typedOver({ name: 'b' }), theirs), [
      { name: 'name', before: 'a', theirs: 'c', isContested: true, mine: 'b' },
      { name: 'note', before: '', theirs: 'theirs', isContested: false, mine: undefined },
    ]);
  });

  it('has no conflict when the record has only a new version, has the same changes, or is new', () => {
    const draft = typedOver({ name: 'b' });
    assert.deepEqual(foreignChanges(draft, { ...first, version: '2' }), []);
    const alike = { typed: { ...first.typed, name: 'b' }, version: '2' };
    assert.deepEqual(foreignChanges(draft, alike), []);
    const begun = { typed: first.typed, version: undefined };
    const created = draftWith<Fields>(undefined, begun, { name: 'b' }) ?? assert.fail();
    assert.deepEqual(
      foreignChanges(created, { typed: { ...first.typed, scopes: [] }, version: undefined }),
      [],
    );
  });

  it('continues on the stored values, with the values of the chosen side', () => {
    const theirs = { typed: { name: 'c', note: 'theirs', scopes: ['read'] }, version: '2' };
    const draft = typedOver({ name: 'b', scopes: [] });
    assert.deepEqual(rebased(draft, theirs, 'mine'), {
      base: theirs.typed,
      version: '2',
      changes: { name: 'b', scopes: [] },
    });
    assert.deepEqual(rebased(draft, theirs, 'theirs')?.changes, { scopes: [] });
    assert.equal(rebased(typedOver({ name: 'b' }), theirs, 'theirs'), undefined);
  });

  it('ignores drafts of pages of an older server', () => {
    assert.ok(isDraft(typedOver({ name: 'b' })));
    for (const kept of [undefined, null, 'x', { name: 'b' }]) assert.ok(!isDraft(kept));
  });
});
