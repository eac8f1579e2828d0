import assert from 'node:assert/strict';
import { type PageVisit, type PageVisits, startPageVisits } from './page-visits.ts';

/** A server whose users choose between three authenticators. */
export function startChoice(): Promise<PageVisits> {
  return startPageVisits({
    authenticators: JSON.stringify([
      'password',
      { module: 'form', as: 'surfconext', label: 'SURFconext: universities and research institutes' },
      { module: 'form', as: 'guests', label: 'Guests' },
    ]),
  });
}

/** From the page of an authenticator back to the choice, by its button and by Back, and on to an answer for the client. */
export async function chooseAgain(visits: PageVisits, visitor: PageVisit): Promise<void> {
  const { page } = visitor;
  const title = page.getByRole('heading', { name: 'How do you want to sign in?' });
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
}
