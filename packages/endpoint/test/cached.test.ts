import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cached } from '../src/cached.ts';

test('a text is made into something once, and only what was asked for lately is kept', () => {
  let calls = 0;
  const make = cached((text) => {
    calls += 1;
    return { text };
  });
  assert.equal(make('a'), make('a'));
  assert.equal(calls, 1);
  for (let index = 0; index < 10_000; index++) {
    make(String(index));
    if (index % 900 === 0) make('a');
  }
  assert.equal(calls, 10_001);
  make('0');
  assert.equal(calls, 10_002);
});

test('a long text is not kept', () => {
  let calls = 0;
  const make = cached(() => {
    calls += 1;
    return {};
  });
  for (let times = 0; times < 2; times++) make('a'.repeat(1001));
  assert.equal(calls, 2);
});
