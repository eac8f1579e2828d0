import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Drafts } from '../src/session/drafts.ts';
import { Session } from '../src/session/session.ts';
import { memoryStorage } from './support/memory-storage.ts';

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
    session.resume(grant('second'));
    assert.deepEqual(await Promise.all(waiting), ['second', 'second']);
    assert.equal(session.end, undefined);
    assert.equal(notifications, 2);
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
