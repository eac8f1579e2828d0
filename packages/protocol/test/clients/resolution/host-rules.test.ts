import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hostPattern, isHostAllowed } from '../../../src/clients/resolution/host-rules.ts';

const rules = (...texts: readonly `${'allow' | 'block'} ${string}`[]) =>
  texts.map((text) => {
    const [effect, pattern] = text.split(' ') as ['allow' | 'block', string];
    return { effect, pattern };
  });

describe('which hosts of clients are allowed', () => {
  for (const [host, hosts, decided, expected] of [
    ['a.example', 'off', rules('allow a.example'), false],
    ['a.example', 'on', [], true],
    ['a.example', 'on', rules('block a.example'), false],
    ['b.a.example', 'on', rules('block a.example'), true],
    ['b.a.example', 'on', rules('block *.a.example'), false],
    ['a.example', 'on', rules('block *.a.example'), true],
    ['ba.example', 'on', rules('block *.a.example'), true],
    ['c.b.a.example', 'on', rules('block *.a.example', 'allow c.b.a.example'), true],
    ['d.b.a.example', 'on', rules('block *.a.example', 'allow *.b.a.example'), true],
    ['a.example', ['a.example'], [], true],
    ['b.example', ['a.example'], [], false],
    ['b.a.example', ['*.a.example'], [], true],
    ['a.example', ['a.example'], rules('block a.example'), false],
    ['b.example', ['a.example'], rules('allow b.example'), true],
  ] as const) {
    const said = decided.map(({ effect, pattern }) => `${effect} ${pattern}`).join(', ');
    it(`${host} is ${expected ? '' : 'not '}allowed by ${JSON.stringify(hosts)} ${said}`, () => {
      assert.equal(isHostAllowed(host, hosts, decided), expected);
    });
  }
});

describe('a pattern of hosts', () => {
  for (const [text, pattern] of [
    [' Tool.Example ', 'tool.example'],
    ['*.tool.example', '*.tool.example'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['127.1', '127.0.0.1'],
    ['[::1]', '[::1]'],
    ['', undefined],
    ['*', undefined],
    ['*.', undefined],
    ['a.*.example', undefined],
    ['tool.example.', undefined],
    ['tool.example:8443', undefined],
    ['https://tool.example', undefined],
    ['tool.example/a', undefined],
    ['user@tool.example', undefined],
    ['tool example', undefined],
  ] as const) {
    it(`of ${JSON.stringify(text)} is ${pattern ?? 'none'}`, () => assert.equal(hostPattern(text), pattern));
  }
});
