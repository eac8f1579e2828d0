import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { protocolError } from '@watchword/testkit';
import { anyText } from '@watchword/testkit/any-text';
import fc from 'fast-check';
import { optionalParameter, parseParameters, requiredParameter } from '../../src/rules/parameters.ts';

describe('form-urlencoded parameters', () => {
  const notDecodable = {
    'an escape that is no hex': 'a=%zz',
    'an escape that ends early': 'a=%4',
    'a bare percent sign': 'a=100%',
    'a byte that UTF-8 never has': 'a=%FF',
    'an overlong form': 'a=%C0%AF',
    'a longer overlong form': 'a=%E0%80%AF',
    'an encoded surrogate': 'a=%ED%A0%80',
    'a code point above U+10FFFF': 'a=%F4%90%80%80',
    'a sequence that ends early': 'a=%E2%82',
    'a continuation byte alone': 'a=%80',
    'an encoded NUL': 'a=%00',
    'a raw NUL': 'a=\0',
    'a NUL inside a value': 'a=admin%00.example',
    'a name that does not decode': '%zz=a',
    'a NUL in a name': 'a%00=b',
  };
  for (const [what, text] of Object.entries(notDecodable)) {
    it(`${what} is rejected, next to any other parameter`, () => {
      for (const form of [text, `x=1&${text}`, `${text}&x=1`]) {
        assert.throws(() => parseParameters(form), protocolError('invalid_request'));
      }
    });
  }

  it('names and values are decoded, plus signs as spaces', () => {
    const parameters = parseParameters('a=b+c%2Bd%20e&%C3%A9=%E2%9C%93&empty=&bare&x=1=2');
    assert.deepEqual(
      [...parameters],
      [
        ['a', 'b c+d e'],
        ['é', '✓'],
        ['empty', ''],
        ['bare', ''],
        ['x', '1=2'],
      ],
    );
  });

  it('a value is decoded once, not twice', () => {
    assert.equal(parseParameters('a=%2541').get('a'), '%41');
  });

  it('a repeated parameter that the server knows is rejected, also when spelt differently or empty', () => {
    const texts = ['code=1&code=1', 'code=1&code=2', 'code=1&%63ode=2', 'code&code=1', 'code=&code='];
    for (const text of [...texts, 'scope=1&y=2&scope=', 'x=1&x=2&code=1&code=2', 'code=1&x=1&code=1&x=2']) {
      assert.throws(() => parseParameters(text), protocolError('invalid_request'), text);
    }
    assert.throws(() => parseParameters('a=1&a=1', new Set(['a'])), protocolError('invalid_request'));
  });

  it('a parameter that is read comes once, whether or not the server knows it elsewhere', () => {
    for (const text of ['y=1&y=2', 'y=1&y=1', 'y=&y=1', 'y=1&x=1&y=2&y=3']) {
      assert.throws(() => optionalParameter(parseParameters(text), 'y'), { rule: 'parameter_once' }, text);
    }
  });

  it('a parameter that the server does not know is ignored, however often it comes', () => {
    const parameters = parseParameters('audience=a&foo=1&scope=x&foo=2&audience=b&foo=3&Code=1&Code=2');
    assert.equal(parameters.get('scope'), 'x');
    assert.deepEqual([...parameters.keys()], ['audience', 'foo', 'scope', 'Code']);
    assert.deepEqual([...parseParameters('foo=1&foo=2&scope=x').keys()], ['foo', 'scope']);
  });

  it('a repeated parameter is named only when its name cannot be a value pasted in the wrong place', () => {
    assert.throws(() => parseParameters('scope=a&scope=b'), /The parameter scope is given more than once/);
    for (const name of ['wwa_SECRET', '"quote"', 'a'.repeat(41)]) {
      const pair = `${encodeURIComponent(name)}=1`;
      assert.throws(
        () => parseParameters(`${pair}&${pair}`, new Set([name])),
        (error: Error) => !error.message.includes(name),
      );
    }
  });

  it('100 parameters are read, 101 are rejected', () => {
    const form = (count: number) => Array.from({ length: count }, (_, index) => `p${index}=1`).join('&');
    assert.equal(parseParameters(form(100)).size, 100);
    assert.throws(() => parseParameters(form(101)), protocolError('invalid_request'));
    assert.throws(() => parseParameters('&'.repeat(1_000_000)), protocolError('invalid_request'));
  });

  it('no text and empty pairs are no parameters', () => {
    assert.equal(parseParameters('').size, 0);
    assert.deepEqual([...parseParameters('&&a=1&')], [['a', '1']]);
  });

  it('names of object members are plain names', () => {
    const parameters = parseParameters('__proto__=1&constructor=2&__proto__[x]=3&toString=4&a[b][c]=5');
    assert.equal(parameters.get('__proto__'), '1');
    assert.equal(parameters.get('constructor'), '2');
    assert.equal(parameters.get('__proto__[x]'), '3');
    assert.equal(parameters.get('a[b][c]'), '5');
    assert.equal(parameters.get('a'), undefined);
    assert.equal(({} as Record<string, unknown>).x, undefined);
    assert.equal(parseParameters('a=1').get('toString'), undefined);
  });

  it('an empty parameter counts as absent', () => {
    const parameters = parseParameters('scope=&grant_type&state=0');
    assert.equal(optionalParameter(parameters, 'scope'), undefined);
    assert.equal(optionalParameter(parameters, 'grant_type'), undefined);
    assert.equal(optionalParameter(parameters, 'state'), '0');
    for (const name of ['scope', 'grant_type', 'code'] as const) {
      assert.throws(() => requiredParameter(parameters, name), protocolError('invalid_request'));
    }
    assert.equal(requiredParameter(parameters, 'state'), '0');
  });

  it('what a client encodes is what is read, unless it holds NUL', () => {
    // Unpaired surrogates never come about: URLSearchParams would replace them.
    const text = anyText().filter((value) => value.isWellFormed());
    const forms = fc.array(fc.tuple(text, text), { maxLength: 100 }).map((pairs) => new Map(pairs));
    fc.assert(
      fc.property(forms, (form) => {
        const encoded = new URLSearchParams([...form]).toString();
        if ([...form].flat().some((part) => part.includes('\0'))) {
          assert.throws(() => parseParameters(encoded), protocolError('invalid_request'));
        } else {
          assert.deepEqual(parseParameters(encoded), form);
        }
      }),
    );
  });

  it('any text is read or rejected, without another error', () => {
    const alphabet = fc.constantFrom('%', '=', '&', '+', 'a', '0', 'F', '\0', 'é', '\ud800', 'E2', '%8');
    fc.assert(
      fc.property(fc.string({ unit: alphabet }), (text) => {
        try {
          parseParameters(text);
        } catch (error) {
          protocolError('invalid_request')(error);
        }
      }),
    );
  });
});
