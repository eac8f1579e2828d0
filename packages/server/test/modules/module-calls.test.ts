import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type FailedModuleCall, ModuleCalls } from '../../src/modules/module-calls.ts';

describe('a question that a module answers many times a second', () => {
  it('is reported once for each module that fails, also when other modules answer between', (t) => {
    const failures: FailedModuleCall[] = [];
    const calls = new ModuleCalls((failure) => failures.push(failure));
    t.after(() => calls.close());
    const ask = (module: string, work: () => boolean) =>
      calls.ask({ setting: 'authenticator', module, call: 'isConfigured' }, work, (answer) => answer);
    const fails = () => {
      throw new Error('no answer');
    };

    for (let token = 0; token < 3; token += 1) {
      assert.equal(ask('first', fails), undefined);
      assert.ok(ask('second', () => true));
    }
    assert.deepEqual(
      failures.map(({ module }) => module),
      ['first'],
    );
    ask('first', () => true);
    ask('first', fails);
    ask('third', fails);
    assert.deepEqual(
      failures.map(({ module }) => module),
      ['first', 'first', 'third'],
    );
  });
});
