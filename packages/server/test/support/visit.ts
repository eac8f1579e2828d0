import type { ResourceOwnerAnswers } from '@watchword/testkit/follow-flow';
import type { Page, UserAgent } from '@watchword/testkit/user-agent';

const maxSteps = 20;

/**
 * Opens an address of a website and goes on as a user does: follows redirects between the website and the server, logs in and
 * consents where a page asks. Resolves with the page at which it ends.
 */
export async function visit(
  agent: UserAgent,
  url: string,
  { username = 'emma', password = 'emma', decision = 'allow' }: ResourceOwnerAnswers = {},
): Promise<Page> {
  let page = await agent.get(url);
  for (let step = 0; step < maxSteps; step += 1) {
    const asks = (name: string) =>
      page.forms.some(({ controls }) => controls.some((control) => control.name === name));
    if (page.location !== undefined) page = await agent.get(page.location);
    else if (asks('username')) page = await agent.submit(page, { username, password });
    else if (asks('decision')) page = await agent.submit(page, { decision });
    else return page;
  }
  throw new Error(`${url} leads to more than ${maxSteps} pages`);
}
