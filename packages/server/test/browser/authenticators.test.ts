import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startChoice } from '../support/authenticator-choice.ts';
import type { PageVisits } from '../support/page-visits.ts';

describe('the choice between authenticators in a browser', () => {
  let visits: PageVisits;
  before(async () => {
    visits = await startChoice();
  });
  after(() => visits[Symbol.asyncDispose]());

  it('is reached again by Back and by the button of a login, and is accessible', async () => {
    await using visitor = await visits.visit();
    const { page } = visitor;
    await page.goto(visits.app.authorizeUrl());
    const title = page.getByRole('heading', { name: 'How do you want to sign in?' });
    await visitor.assertAccessible();
    await page.getByRole('link', { name: 'Guests' }).click();
    await visitor.assertAccessible();
    await page.getByLabel('User name').fill(' ');
    await page.getByLabel('Password').fill('x');
    await visitor.send(page.getByRole('button', { name: 'Sign in', exact: true }));
    await visitor.send(page.getByRole('button', { name: 'Sign in another way' }));
    await title.waitFor();
    await page.getByRole('link', { name: 'User name and password' }).click();
    await page.getByLabel('User name').waitFor();
    await page.goBack();
    await title.waitFor();
    await page.reload();
    await page.getByRole('link', { name: 'Guests' }).click();
    await page.getByLabel('User name').fill(visitor.user);
    await page.getByLabel('Password').fill('secret');
    await visitor.send(page.getByRole('button', { name: 'Sign in', exact: true }));
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.waitForURL(`${visits.site.callback}?**`);
    assert.ok(new URL(page.url()).searchParams.has('code'));
    const expected = /status of 400/;
    assert.deepEqual(
      visitor.errors().filter((error) => !expected.test(error)),
      [],
    );
  });
});
