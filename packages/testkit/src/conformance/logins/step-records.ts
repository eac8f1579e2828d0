import assert from 'node:assert/strict';
import { it } from 'node:test';
import { accountIdentityProvider, type StepRecord } from '@watchword/protocol';
import { buildAccount } from '../../builders/account.ts';
import { start } from '../grants/granted.ts';
import type { OpenStore } from '../store-under-test.ts';
import { withStore } from '../with-store.ts';

const emma = { identityProvider: accountIdentityProvider, name: 'emma' };

function buildStepRecord(overrides: Partial<StepRecord> = {}): StepRecord {
  return {
    subject: 'sübject of emma',
    step: 'action terms',
    version: '2026-11',
    doneAt: start,
    expires: 0,
    owner: emma,
    ...overrides,
  };
}

export function stepRecordRules(openStore: OpenStore): void {
  it(
    'finds the record of a person and a step as it was saved, and no other',
    withStore(openStore, async ({ stepRecords }) => {
      const records = [
        buildStepRecord(),
        buildStepRecord({ step: 'totp', data: 'sealed "✓"', expires: start + 1 }),
        buildStepRecord({
          subject: 'finn',
          owner: { identityProvider: 'https://idp.example', name: 'finn' },
        }),
      ];
      for (const record of records) assert.ok(await stepRecords.save(record, undefined));
      for (const record of records) {
        assert.deepEqual(await stepRecords.find(record.subject, record.step), record);
      }
      assert.equal(await stepRecords.find('finn', 'totp'), undefined);
      assert.equal(await stepRecords.find('Finn', 'action terms'), undefined);
    }),
  );

  it(
    'replaces a record only if its version is the one that was read',
    withStore(openStore, async ({ stepRecords }) => {
      const [first, second] = [
        buildStepRecord({ data: 'a' }),
        buildStepRecord({ version: '2', doneAt: start + 1 }),
      ];
      const find = () => stepRecords.find(first.subject, first.step);
      assert.ok(!(await stepRecords.save(second, first.version)));
      assert.equal(await find(), undefined);
      assert.ok(await stepRecords.save(first, undefined));
      for (const wrong of [undefined, second.version, '']) {
        assert.ok(!(await stepRecords.save(second, wrong)));
        assert.deepEqual(await find(), first);
      }
      assert.ok(await stepRecords.save(second, first.version));
      assert.deepEqual(await find(), second);
    }),
  );

  it(
    'replaces a version once, of many that try at once, and makes one first record',
    withStore(openStore, async ({ stepRecords }) => {
      for (const replaces of [undefined, '0']) {
        const tries = Array.from({ length: 20 }, (_, index) =>
          stepRecords.save(
            buildStepRecord({ version: replaces === undefined ? '0' : `${index + 1}` }),
            replaces,
          ),
        );
        assert.equal((await Promise.all(tries)).filter(Boolean).length, 1);
      }
    }),
  );

  it(
    'forgets the records of an account that is deleted, and those of no other person of the name',
    withStore(openStore, async ({ accounts, stepRecords }) => {
      await accounts.create(buildAccount({ username: 'emma' }));
      const own = buildStepRecord();
      const namesake = buildStepRecord({ subject: 'b', owner: { ...emma, identityProvider: 'elsewhere' } });
      const other = buildStepRecord({ subject: 'c', owner: { ...emma, name: 'finn' } });
      for (const record of [own, namesake, other]) await stepRecords.save(record, undefined);
      await accounts.update('emma', { disabled: true }, start);
      assert.deepEqual(await stepRecords.find(own.subject, own.step), own);
      await accounts.delete('emma', start);
      assert.equal(await stepRecords.find(own.subject, own.step), undefined);
      for (const record of [namesake, other]) {
        assert.deepEqual(await stepRecords.find(record.subject, record.step), record);
      }
    }),
  );

  it(
    'forgets the records of the people of an identity provider that is ended',
    withStore(openStore, async ({ identityProviderUse, stepRecords }) => {
      const gone = ['a', 'b'].map((subject) =>
        buildStepRecord({ subject, owner: { identityProvider: 'gone', name: subject } }),
      );
      const left = buildStepRecord();
      for (const record of [...gone, left]) await stepRecords.save(record, undefined);
      await identityProviderUse.end('gone', start);
      for (const { subject, step } of gone) assert.equal(await stepRecords.find(subject, step), undefined);
      assert.deepEqual(await stepRecords.find(left.subject, left.step), left);
    }),
  );
}
