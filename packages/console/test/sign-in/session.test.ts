import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { personKey } from '../../src/rules/identity-provider.ts';
import { Drafts } from '../../src/session/drafts.ts';
import { Session } from '../../src/session/session.ts';
import { recentOf } from '../../src/shell/recent.ts';
import { memoryStorage } from '../support/memory-storage.ts';

/** What a browser can have where a record of this tab was. */
const damages = [
  '',
  '{',
  'null',
  '1',
  '"x"',
  '[]',
  '{"owner":"emma"}',
  '{"owner":"emma","drafts":[1],"options":[1]}',
];

/** A storage that takes nothing more. */
const fullStorage = (): Storage => ({
  ...memoryStorage(),
  setItem() {
    throw new DOMException('The quota has been exceeded.', 'QuotaExceededError');
  },
});

const grant = (token: string, expires = 0) => ({ token, scopes: ['read'], expires });

describe('a session', () => {
  it('makes requests with a rejected token wait until the user has logged in again', async () => {
    const session = new Session(grant('first'));
    let notifications = 0;
    session.subscribe(() => {
      notifications += 1;
    });
    assert.equal(await session.token(), 'first');
    const waiting = [session.renew('first'), session.token()];
    assert.equal(session.end, 'server');
    assert.equal(session.current(), undefined);
    assert.ok(await session.resume(grant('second'), 'emma', async () => 'emma'));
    assert.deepEqual(await Promise.all(waiting), ['second', 'second']);
    assert.equal(session.end, undefined);
    assert.equal(notifications, 2);
  });

  it('makes what needs a newer login wait for it, and nothing else', async () => {
    const session = new Session(grant('first'));
    const waiting = [session.logInAgain(900), session.logInAgain(300)];
    assert.equal(session.demandedAge, 300);
    assert.equal(session.end, undefined);
    assert.equal(await session.token(), 'first');
    assert.ok(!(await session.resume(grant('other'), 'emma', async () => 'paul')));
    assert.equal(session.demandedAge, 300);
    assert.ok(await session.resume(grant('second'), 'emma', async () => 'emma'));
    assert.deepEqual(await Promise.all(waiting), ['second', 'second']);
    assert.equal(session.demandedAge, undefined);
    assert.equal(await session.token(), 'second');
  });

  it('does not do what needs a newer login when the user does not want to log in, and goes on', async () => {
    const session = new Session(grant('first'));
    const waiting = session.logInAgain(900);
    session.decline();
    await assert.rejects(waiting, { name: 'AdminError', code: 'insufficient_user_authentication' });
    assert.equal(session.demandedAge, undefined);
    assert.equal(await session.token(), 'first');
  });

  it('sends nothing that waits in the name of another user, also of a namesake, or when nobody knows who began it', async () => {
    const emma = (identityProvider: string) =>
      personKey({
        ...{ name: 'emma', roles: [], groups: [], adminPrincipal: false },
        attributes: { IDENTITY_PROVIDER: identityProvider },
      });
    for (const [began, came] of [
      [emma('https://a.example'), emma('https://b.example')],
      ['emma', 'paul'],
      [undefined, 'paul'],
    ]) {
      const session = new Session(grant('first'));
      const sent: string[] = [];
      void session.renew('first').then((token) => sent.push(token));
      void session.token().then((token) => sent.push(token));
      assert.equal(await session.resume(grant('second'), began, async () => came ?? ''), false);
      assert.equal(session.end, 'server');
      assert.equal(session.current(), undefined);
      assert.deepEqual(sent, []);
      await session.resume(grant('third'), 'emma', async () => 'emma');
      assert.equal(await session.token(), 'third');
      assert.deepEqual(sent, ['third', 'third']);
    }
  });

  it('does not end because of a token that it has already replaced', async () => {
    const session = new Session(grant('second'));
    assert.equal(await session.renew('first'), 'second');
    assert.equal(session.end, undefined);
  });

  it('ends when its token expires', async () => {
    const session = new Session(grant('first', Date.now() + 20));
    await new Promise<void>((resolve) => session.subscribe(resolve));
    assert.equal(session.end, 'expiry');
  });

  it('that the server refuses after its expiry has expired, also when the timer is late', async () => {
    const session = new Session(grant('first', Date.now()));
    void session.renew('first');
    assert.equal(session.end, 'expiry');
  });
});

describe('drafts', () => {
  it('are stored while the user does not type, and return to the user who typed them', () => {
    const storage = memoryStorage();
    const drafts = new Drafts(storage);
    drafts.restore('emma');
    drafts.set('client:new', { clientName: 'x' });
    assert.equal(storage.length, 0);
    drafts.keep();
    const later = new Drafts(storage);
    later.restore('emma');
    assert.deepEqual(later.get('client:new'), { clientName: 'x' });
    assert.equal(storage.length, 0);
  });

  it('stay stored when the page is left before they were read', () => {
    const storage = memoryStorage();
    const drafts = new Drafts(storage);
    drafts.restore('emma');
    drafts.set('a', 1);
    drafts.keep();
    new Drafts(storage).keep();
    const later = new Drafts(storage);
    later.restore('emma');
    assert.equal(later.get('a'), 1);
  });

  it('are forgotten where what is stored is damaged', () => {
    for (const damaged of damages) {
      const storage = memoryStorage();
      storage.setItem('watchword.drafts', damaged);
      const drafts = new Drafts(storage);
      drafts.restore('emma');
      assert.equal(drafts.get('a'), undefined, damaged);
      assert.equal(storage.length, 0);
    }
  });

  it('do not keep the page from being left when they are more than the browser stores', () => {
    const storage = fullStorage();
    const drafts = new Drafts(storage);
    drafts.restore('emma');
    drafts.set('branding', { logo: 'data:image/png;base64,AAAA' });
    drafts.keep();
    assert.equal(storage.length, 0);
  });

  it('are not available to another user, or after they were discarded', () => {
    const storage = memoryStorage();
    const drafts = new Drafts(storage);
    drafts.restore('emma');
    drafts.set('a', 1);
    drafts.set('b', 2);
    drafts.forget('a');
    drafts.keep();
    const others = new Drafts(storage);
    others.restore('paul');
    assert.equal(others.get('b'), undefined);
    drafts.forget('b');
    drafts.keep();
    assert.equal(storage.length, 0);
  });
});

describe('what was opened last', () => {
  const option = (value: string) => ({ value, label: 'x' });

  it('is listed to the same user, the newest first and each once', () => {
    const storage = memoryStorage();
    const recent = recentOf(storage, 'emma');
    for (const value of ['/a', '/b', '/a', '/c', '/d', '/e', '/f', '/g']) recent.add(option(value));
    assert.deepEqual(
      recent.list(),
      ['/g', '/f', '/e', '/d', '/c', '/a'].map((value) => option(value)),
    );
    assert.deepEqual(recentOf(storage, 'paul').list(), []);
  });

  it('is not kept where the browser stores nothing more', () => {
    const recent = recentOf(fullStorage(), 'emma');
    recent.add(option('/a'));
    assert.deepEqual(recent.list(), []);
  });

  it('is empty where what is stored is damaged, and begins anew', () => {
    for (const damaged of [...damages, '{"owner":"emma","options":[{"value":"/a"}]}']) {
      const storage = memoryStorage();
      storage.setItem('watchword.recent', damaged);
      const recent = recentOf(storage, 'emma');
      assert.deepEqual(recent.list(), [], damaged);
      recent.add(option('/a'));
      assert.deepEqual(recent.list(), [option('/a')]);
    }
  });
});
