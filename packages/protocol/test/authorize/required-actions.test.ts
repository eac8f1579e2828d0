import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  buildPrincipal,
  buildResourceOwner,
  FakeClock,
  memoryStore,
  sessionFactory,
  submission,
} from '@watchword/testkit';
import { type RequiredAction, requiredAction } from '../../src/authorize/steps/required-action.ts';

const terms = { name: 'terms', version: '1' };
const emma = {
  ...buildResourceOwner('emma'),
  principal: buildPrincipal({ name: 'emma', groups: ['blue', 'staff'] }),
};
const login = sessionFactory()({ owner: emma });

function deps() {
  const { stepRecords } = memoryStore();
  const clock = new FakeClock();
  const step = (action: RequiredAction) => requiredAction(action, { stepRecords, clock });
  const isNeeded = (action: RequiredAction, of = login) => step(action).isNeeded(of, {} as never);
  const answer = async (action: RequiredAction, choice: string, state: unknown = action.version) =>
    step(action).resume(login, {} as never, { state, submission: submission({ choice }) });
  return { stepRecords, clock, step, isNeeded, answer };
}

describe('a required action', () => {
  it('is asked of each person once for each version, and the record says who agreed to which, and when', async () => {
    const { stepRecords, clock, isNeeded, answer } = deps();
    const noah = sessionFactory('noah')({ owner: buildResourceOwner('noah') });
    assert.ok(await isNeeded(terms));
    assert.deepEqual(await answer(terms, 'agree'), { type: 'passed' });
    assert.ok(!(await isNeeded(terms)));
    assert.ok(await isNeeded(terms, noah));
    assert.ok(await isNeeded({ ...terms, name: 'others' }));
    assert.deepEqual(await stepRecords.find(emma.subject, 'action terms'), {
      subject: emma.subject,
      step: 'action terms',
      version: '1',
      doneAt: clock.now(),
      expires: 0,
      owner: { identityProvider: emma.identityProvider, name: 'emma' },
    });
    const next = { ...terms, version: '2' };
    assert.ok(await isNeeded(next));
    assert.deepEqual(await answer(next, 'agree'), { type: 'passed' });
    assert.ok(!(await isNeeded(next)));
    assert.ok(await isNeeded(terms));
  });

  it('is asked only of people with one of its groups', async () => {
    const { isNeeded } = deps();
    for (const [groups, expected] of [
      [['admins', 'staff'], true],
      [['admins'], false],
      [['Staff'], false],
      [undefined, true],
    ] as const) {
      assert.equal(await isNeeded({ ...terms, groups }), expected, String(groups));
    }
  });

  it('has a link to its document, if it has one', async () => {
    const { step } = deps();
    const shown = async (action: RequiredAction) => {
      const form = await step(action).begin(login, {} as never);
      return form.type === 'form' ? form.link : assert.fail(form.type);
    };
    const url = 'https://www.example.com/terms';
    assert.deepEqual(await shown({ ...terms, url }), { url, text: { key: 'action.read' } });
    assert.equal(await shown(terms), undefined);
  });

  it('is asked again after its days', async () => {
    const { clock, isNeeded, answer } = deps();
    const yearly = { ...terms, repeatAfter: 365 };
    await answer(yearly, 'agree');
    clock.advance(365 * 86_400_000 - 1);
    assert.ok(!(await isNeeded(yearly)));
    clock.advance(1);
    assert.ok(await isNeeded(yearly));
    assert.deepEqual(await answer(yearly, 'agree'), { type: 'passed' });
    assert.ok(!(await isNeeded(yearly)));
  });

  it('is not passed by "decline", by no choice, and by the page of another version', async () => {
    const { step, isNeeded, answer } = deps();
    assert.equal((await answer(terms, 'decline')).type, 'refused');
    for (const [choice, state] of [
      ['', '1'],
      ['Agree', '1'],
      ['agree', '0'],
      ['agree', undefined],
    ] as const) {
      const again = await answer(terms, choice, state ?? null);
      assert.deepEqual(again, await step(terms).begin(login, {} as never), `${choice} ${state}`);
    }
    assert.ok(await isNeeded(terms));
  });

  it('is passed by both of two answers at the same moment', async () => {
    const { answer } = deps();
    const both = await Promise.all([answer(terms, 'agree'), answer(terms, 'agree')]);
    assert.deepEqual(both, [{ type: 'passed' }, { type: 'passed' }]);
  });

  it('is asked again when another version was agreed to at the same moment, on a node with other settings', async () => {
    const { stepRecords, clock } = deps();
    const other = {
      subject: emma.subject,
      step: 'action terms',
      version: '2',
      doneAt: 1,
      expires: 0,
      owner: { identityProvider: 'x', name: 'emma' },
    };
    const raced = {
      find: stepRecords.find,
      async save(...parts: Parameters<typeof stepRecords.save>) {
        await stepRecords.save(other, undefined);
        return stepRecords.save(...parts);
      },
    };
    const step = requiredAction(terms, { stepRecords: raced, clock });
    const answer = { state: '1', submission: submission({ choice: 'agree' }) };
    assert.equal((await step.resume(login, {} as never, answer)).type, 'form');
    assert.deepEqual(await stepRecords.find(emma.subject, 'action terms'), other);
  });
});
