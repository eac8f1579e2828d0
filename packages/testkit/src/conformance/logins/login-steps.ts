import assert from 'node:assert/strict';
import { it } from 'node:test';
import { accountIdentityProvider, type SessionLink, type StepRecord } from '@watchword/protocol';
import { buildAccount } from '../../builders/account.ts';
import { start } from '../grants/granted.ts';
import { type OpenStore, withStore } from '../store-under-test.ts';

const expires = start + 1000;

export function oneTimeRules(openStore: OpenStore): void {
  it(
    'stores a key once, taken or not, expired or not',
    withStore(openStore, async ({ oneTime }) => {
      assert.ok(await oneTime.put('a', '1', expires));
      assert.ok(!(await oneTime.put('a', '2', expires + 1)));
      assert.ok(await oneTime.put('A', '3', expires));
      assert.equal(await oneTime.take('a', start), '1');
      assert.ok(!(await oneTime.put('a', '4', expires)));
      assert.equal(await oneTime.take('a', start), undefined);
      assert.ok(await oneTime.put('old', '', start - 1));
      assert.ok(!(await oneTime.put('old', '', expires)));
    }),
  );

  it(
    'returns a value as it was stored, until it expires',
    withStore(openStore, async ({ oneTime }) => {
      const long = `Émma 👩‍👧 ${'x'.repeat(100_000)}`;
      await oneTime.put('long', long, expires);
      await oneTime.put('late', '', expires);
      assert.equal(await oneTime.take('long', expires - 1), long);
      assert.equal(await oneTime.take('late', expires), undefined);
      assert.equal(await oneTime.take('nothing', start), undefined);
    }),
  );

  it(
    'shows a value to every caller, until it is taken or expires',
    withStore(openStore, async ({ oneTime }) => {
      await oneTime.put('shown', 'value', expires);
      assert.equal(await oneTime.find('shown', start), 'value');
      assert.equal(await oneTime.find('shown', expires - 1), 'value');
      assert.equal(await oneTime.find('shown', expires), undefined);
      assert.equal(await oneTime.find('nothing', start), undefined);
      assert.equal(await oneTime.take('shown', start), 'value');
      assert.equal(await oneTime.find('shown', start), undefined);
    }),
  );

  it(
    'accepts one of many callers that store one key concurrently, and one of many that take it',
    withStore(openStore, async ({ oneTime }) => {
      const many = Array.from({ length: 20 }, (_, index) => String(index));
      const put = await Promise.all(many.map((value) => oneTime.put('key', value, expires)));
      assert.equal(put.filter(Boolean).length, 1);
      const taken = await Promise.all(many.map(() => oneTime.take('key', start)));
      assert.deepEqual(
        taken.filter((value) => value !== undefined),
        [many[put.indexOf(true)]],
      );
    }),
  );
}

const link = (sessionId: string, key: string): SessionLink => ({
  sessionId,
  key,
  data: `{"of":"${sessionId}"}`,
  expires: start + 1000,
});

export function sessionLinkRules(openStore: OpenStore): void {
  it(
    'finds a link by its session, and all links of a key by the key',
    withStore(openStore, async ({ sessionLinks }) => {
      const links = [link('1', 'a'), link('2', 'a'), link('3', 'A')];
      for (const each of links) await sessionLinks.insert(each);
      assert.deepEqual(await sessionLinks.find('2'), links[1]);
      assert.equal(await sessionLinks.find('4'), undefined);
      const ofKey = await sessionLinks.findByKey('a');
      assert.deepEqual(ofKey.map(({ sessionId }) => sessionId).toSorted(), ['1', '2']);
      assert.deepEqual(await sessionLinks.findByKey('b'), []);
    }),
  );

  it(
    'replaces the link of a session',
    withStore(openStore, async ({ sessionLinks }) => {
      for (const each of [link('1', 'a'), link('2', 'a'), link('1', 'b')]) await sessionLinks.insert(each);
      assert.deepEqual(await sessionLinks.find('1'), link('1', 'b'));
      assert.deepEqual(await sessionLinks.findByKey('a'), [link('2', 'a')]);
      assert.deepEqual(await sessionLinks.findByKey('b'), [link('1', 'b')]);
    }),
  );

  it(
    'removes a deleted link and no other',
    withStore(openStore, async ({ sessionLinks }) => {
      for (const each of [link('1', 'a'), link('2', 'a')]) await sessionLinks.insert(each);
      await sessionLinks.delete('1');
      await sessionLinks.delete('1');
      assert.equal(await sessionLinks.find('1'), undefined);
      assert.deepEqual(await sessionLinks.findByKey('a'), [link('2', 'a')]);
    }),
  );
}

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
