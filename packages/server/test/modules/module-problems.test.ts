import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AuthenticationModule } from '@watchword/protocol';
import { checkedAuthentication } from '../../src/modules/contract/checked-authentication.ts';
import { ModuleCalls } from '../../src/modules/module-calls.ts';

function problemsOf(problems?: () => unknown) {
  const failures: string[] = [];
  const calls = new ModuleCalls(({ call, failure }) => void failures.push(`${call} ${failure}`));
  const step = async () => ({ type: 'refused', description: 'no' }) as const;
  const module = { name: 'mine', begin: step, resume: step, ...(problems && { problems }) };
  const found = checkedAuthentication(module as AuthenticationModule, calls).problems();
  calls.close();
  return { found, failures };
}

describe('the problems of an authentication module', () => {
  it('are those that it returns, and none by default', () => {
    assert.deepEqual(
      problemsOf(() => ['It is old.']),
      { found: ['It is old.'], failures: [] },
    );
    assert.deepEqual(problemsOf(), { found: [], failures: [] });
  });

  it('are that it cannot be asked, if it throws an error or returns anything else', () => {
    const thrown = problemsOf(() => {
      throw new Error('no');
    });
    assert.deepEqual(thrown, {
      found: ['The module did not say what is wrong; the log of the server has the cause.'],
      failures: ['problems exception'],
    });
    assert.deepEqual(problemsOf(() => [7]).failures, ['problems invalid_answer']);
    assert.deepEqual(problemsOf(() => 'text').failures, ['problems invalid_answer']);
  });
});
