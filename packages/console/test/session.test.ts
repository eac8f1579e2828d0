import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Drafts } from '../src/session/drafts.ts';
import { Session } from '../src/session/session.ts';
import { memoryStorage } from './support/memory-storage.ts';

const grant = (token: string, expires = 0) => ({ token, scopes: ['read'], expires });

describe('a session', () => {
  it('lets whoever needs a token wait, once it was refused, until somebody has signed in again', async () => {
    const session = new Session(grant('first'));
    let told = 0;
    session.subscribe(() => {
      told += 1;
    });
    assert.equal(await session.token(), 'first');
    const waiting = [session.renew('first'), session.token()];
    assert.equal(session.isEnded, true);
    assert.equal(session.current(), undefined);
    session.resume(grant('second'));
    assert.deepEqual(await Promise.all(waiting), ['second', 'second']);
    assert.equal(session.isEnded, false);
    assert.equal(told, 2);
  });

  it('does not end because of a token that it has replaced already', async () => {
    const session = new Session(grant('second'));
    assert.equal(await session.renew('first'), 'second');
    assert.equal(session.isEnded, false);
  });

  it('ends when its token expires', async () => {
    const session = new Session(grant('first', Date.now() + 20));
    await new Promise<void>((resolve) => session.subscribe(resolve));
    assert.equal(session.isEnded, true);
  });
});

describe('drafts', () => {
  it('are written while the page is left alone, and come back to the person who typed them', () => {
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

  it('are gone for anybody else, and when they are forgotten', () => {
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
