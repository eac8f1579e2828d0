import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { anyText } from '@watchword/testkit/any-text';
import fc from 'fast-check';
import { characterAt, inQuotes, shown, withEscapes, withHidden } from '../../src/model/hidden-characters.ts';
import { listed, quoted, quotedUrl } from '../../src/model/quoted.ts';

describe('a text in a message', () => {
  it('has escapes in place of what a reader does not see, and names it after the text', () => {
    for (const [text, expected] of [
      ['read', '"read"'],
      ['read write', '"read write"'],
      ['naïve "日本"', String.raw`"naïve \"日本\""`],
      ['https://app.example/x\u200b', String.raw`"https://app.example/x\u200b" (U+200B at position 22)`],
      ['\u202eread', String.raw`"\u202eread" (U+202E at position 1)`],
      ['a\u00a0b\t', String.raw`"a\u00a0b\t" (U+00A0 at position 2, U+0009 at position 4)`],
      ['😀\u{e0041}', String.raw`"😀\u{e0041}" (U+E0041 at position 2)`],
      ['\ud800', String.raw`"\ud800" (U+D800 at position 1)`],
      [
        '\u200b\u2060\ufeff\u00ad\u3164',
        String.raw`"\u200b\u2060\ufeff\u00ad\u3164" (U+200B at position 1, U+2060 at position 2, U+FEFF at position 3 and 2 more)`,
      ],
    ] as const) {
      assert.equal(shown(text, 40), expected);
    }
    assert.equal(shown(`${'x'.repeat(50)}\u200b`, 5), '"xxxxx" (U+200B at position 51)');
  });

  it('is the same in the reasons for a record owner, also where a part is left out', () => {
    assert.equal(quoted('a\u200bb'), String.raw`"a\u200bb" (U+200B at position 2)`);
    assert.equal(
      quotedUrl('https://u:p@app.example/cb\u200b?x=1\u00a0'),
      String.raw`"https://…@app.example/cb\u200b?…" (U+200B at position 27, U+00A0 at position 32)`,
    );
    assert.equal(listed(['read', 'wri\u200bte']), String.raw`read, wri\u200bte (U+200B at position 4)`);
  });

  it('never has such a character itself, whatever the text is', () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        for (const message of [shown(text, 20), inQuotes(text), withEscapes(text), quoted(text)]) {
          assert.equal(withEscapes(message), message);
        }
      }),
    );
  });
});

describe('a problem with a text', () => {
  it('names what is hidden in the text, once, and nothing else of the text', () => {
    assert.equal(withHidden('is no URL', 'https://a'), 'is no URL');
    assert.equal(withHidden('is no URL', 'https://a\u200b'), 'is no URL (U+200B at position 10)');
    assert.equal(withHidden('Is unknown.', 'a\u00a0'), 'Is unknown. It has U+00A0 at position 2.');
    const named = withHidden('is no URL', 'https://a\u200b');
    assert.equal(withHidden(named, 'https://a\u200b'), named);
  });

  it('is a text of error_description, and short, whatever the text is (RFC 6749 section 5.2)', () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        const description = withHidden('The value is not known.', text);
        assert.match(description, /^[\x20\x21\x23-\x5B\x5D-\x7E]{1,150}$/);
      }),
    );
    assert.ok(withHidden('The value is not known.', '\u200b'.repeat(100_000)).length < 150);
  });

  it('names a character that a rule forbids, though it is seen', () => {
    assert.equal(characterAt('https://ä', /[^!-~]/u), 'U+00E4 at position 9');
    assert.equal(characterAt('😀"', /"/u), 'U+0022 at position 2');
    assert.equal(characterAt('read', /[^!-~]/u), undefined);
  });
});
