import { after, before, describe, it } from 'node:test';
import { chooseAgain, startChoice } from '../support/authenticator-choice.ts';
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
    await visitor.assertAccessible();
    await page.getByRole('link', { name: 'Guests' }).click();
    await visitor.assertAccessible();
    await chooseAgain(visits, visitor);
  });
});
