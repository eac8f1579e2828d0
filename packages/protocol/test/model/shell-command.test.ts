import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { shellCommand, shellWord } from '../../src/model/shell-word.ts';

describe('a word of a shell', () => {
  it('is quoted where a shell could read more than a name in it', () => {
    for (const text of ['web-app', 'a.b:c@d/e', 'A_1']) assert.equal(shellWord(text), text);
    assert.equal(shellWord('a$(touch x)'), "'a$(touch x)'");
    assert.equal(shellWord("it's"), String.raw`'it'\''s'`);
    assert.equal(shellWord(''), "''");
    assert.equal(shellWord('a\n'), "'a\n'");
  });
});

describe('a command for a shell', () => {
  const update = 'watchword client update {clientId} --scope {scope}';

  it('has the names in the places of the placeholders', () => {
    assert.equal(
      shellCommand(update, { clientId: 'a b', scope: '$1$&' }),
      "watchword client update 'a b' --scope '$1$&'",
    );
  });

  it('has a name that begins like an option where it is none', () => {
    assert.equal(
      shellCommand(update, { clientId: '-x', scope: '--y' }),
      'watchword client update --scope=--y -- -x',
    );
  });

  it('has no name without a place for it', () => {
    for (const key of ['an-api', '-an-api']) {
      assert.equal(shellCommand('watchword check', { key }), 'watchword check');
    }
  });
});
