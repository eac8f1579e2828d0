import './support/english.ts';
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { chosenColumns, pageOf, searchOf, sorted } from '../src/components/tables/rows.ts';
import { durationText, fromLocalText, fromNow, lifetime, toLocalText } from '../src/format/time.ts';
import { match, placeOf, routeTo } from '../src/router/place.ts';

interface Row {
  readonly name: string;
  readonly size: number;
}

const columns = [
  { key: 'name', value: ({ name }: Row) => name },
  { key: 'size', value: ({ size }: Row) => size },
  { key: 'actions' },
];
const rows = ['job 10', 'Job 9', 'älg', 'Zebra'].map((name, index) => ({ name, size: index % 2 }));
const namesBy = (key: string, isDescending = false) =>
  sorted(rows, columns, { key, isDescending }).map(({ name }) => name);

describe('a list', () => {
  it('is sorted naturally: numbers by value, letters without regard to case', () => {
    assert.deepEqual(namesBy('name'), ['älg', 'Job 9', 'job 10', 'Zebra']);
    assert.deepEqual(namesBy('name', true), ['Zebra', 'job 10', 'Job 9', 'älg']);
    assert.deepEqual(namesBy('size'), ['job 10', 'älg', 'Job 9', 'Zebra']);
    assert.deepEqual(namesBy('actions'), namesBy('nothing'));
  });

  it('has pages, and a number after the last page selects the last', () => {
    const many = Array.from({ length: 51 }, (_, index) => index);
    assert.deepEqual(pageOf(many, 2, 25), {
      rows: many.slice(25, 50),
      page: 2,
      pages: 3,
      first: 26,
      last: 50,
    });
    assert.equal(pageOf(many, 99, 25).page, 3);
    assert.equal(pageOf(many, -1, 25).page, 1);
    assert.deepEqual(pageOf([], 1, 25).pages, 1);
  });

  it('has the columns that tell its rows apart, unless the user chose others', () => {
    const all = [
      { key: 'name', isFixed: true, value: () => 'same' },
      { key: 'size', value: ({ size }: Row) => size },
      { key: 'kind', value: () => 'job' },
      { key: 'owner', isExtra: true, value: ({ name }: Row) => name },
      { key: 'actions' },
    ];
    const keys = (shown: readonly Row[], choices = {}) =>
      chosenColumns(all, shown, choices).map(({ key }) => key);
    assert.deepEqual(keys(rows), ['name', 'size', 'actions']);
    assert.deepEqual(keys(rows.slice(0, 1)), ['name', 'size', 'kind', 'actions']);
    assert.deepEqual(keys([]), ['name', 'size', 'kind', 'actions']);
    const choices = { name: false, size: false, kind: true, owner: true };
    assert.deepEqual(keys(rows, choices), ['name', 'kind', 'owner', 'actions']);
  });

  it('is searched in every text, without regard to case and Unicode form', () => {
    const matches = (wanted: string, text: string) => searchOf<string>(wanted, (row) => ['x', row])(text);
    assert.ok(matches('', 'anything') && matches(' API ', 'orders api') && matches('ﬁ', 'FIRE'));
    assert.ok(!matches('apis', 'orders api'));
  });
});

describe('an address in the GUI', () => {
  it('keeps its query, without empty values', () => {
    assert.equal(routeTo('/tokens', { q: 'a b', owner: '', client: undefined }), '/tokens?q=a+b');
    assert.equal(routeTo('/tokens', {}), '/tokens');
    const { path, query } = placeOf('/tokens?q=a+b');
    assert.deepEqual([path, query.get('q')], ['/tokens', 'a b']);
  });

  it('is matched segment by segment', () => {
    assert.deepEqual(match('/a/:id/b/:x', '/a/1/b/2'), { id: '1', x: '2' });
    assert.equal(match('/a/:id', '/a/1/b'), undefined);
    assert.equal(match('/a/new', '/a/1'), undefined);
  });
});

describe('times', () => {
  it('are shown in the largest units that fit', () => {
    assert.equal(durationText(90), '1 minute 30 seconds');
    assert.equal(durationText(86_400), '1 day');
    assert.equal(durationText(90_061), '1 day 1 hour');
    const now = Date.parse('2030-01-01T00:00:00Z');
    assert.equal(fromNow(now - 7_300_000, now), '2 hours ago');
    assert.equal(fromNow(now + 59_000, now), 'in 59 seconds');
  });

  it('of tokens follow the registration, and implicit tokens always expire', () => {
    const client = (expireDuration: number, allowedImplicitGrant: boolean) =>
      lifetime({ expireDuration, allowedImplicitGrant }, 5400);
    assert.equal(client(0, false), 'no expiry');
    assert.equal(client(3600, true), '1 hour');
    assert.equal(client(0, true), 'no expiry; implicit tokens: 1 hour 30 minutes');
  });

  it('pass through a date field unchanged', () => {
    const time = Date.parse('2030-07-01T12:34:56Z');
    assert.equal(fromLocalText(toLocalText(time)), time);
    assert.deepEqual([toLocalText(0), fromLocalText('')], ['', 0]);
  });
});
