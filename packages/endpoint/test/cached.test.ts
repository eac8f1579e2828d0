import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cached } from '../src/cached.ts';

test('a text is made into something once, and what was made is not kept without bound', () => {
  let calls = 0;
  const make = cached((text) => {
    calls += 1;
    return { text };
  });
  assert.equal(make('a'), make('a'));
  assert.equal(calls, 1);
  for (let index = 0; index < 1000; index++) make(String(index));
  assert.deepEqual(make('a'), { text: 'a' });
  assert.equal(calls, 1002);
});
