import type { HtmlForm } from './user-agent/html-forms.ts';
import type { FormValues, Page, UserAgent } from './user-agent.ts';

export interface ResourceOwnerAnswers {
  readonly username?: string;
  readonly password?: string;
  readonly decision?: 'allow' | 'deny';
  /** The boxes to tick; default: the boxes that the page has ticked. */
  readonly scopes?: readonly string[];
}

/**
 * Acts as a resource owner: opens the URL, logs in on the login page and answers the consent page. Resolves with the answer
 * that redirects to the client, or with the page whose form is for the client. It recognizes the forms by their fields only.
 */
export async function followFlow(
  agent: UserAgent,
  url: string,
  answers: ResourceOwnerAnswers = {},
): Promise<FlowResult> {
  const { username = 'emma', password = 'emma', decision = 'allow', scopes } = answers;
  const pages: Page[] = [await agent.get(url)];
  const isAsked = (name: string) => pages.at(-1)?.forms.some((form) => hasControl(form, name));
  const answer = async (values: FormValues) => {
    const page = pages.at(-1);
    if (page !== undefined) pages.push(await agent.submit(page, values));
  };
  if (isAsked('username')) await answer({ username, password });
  if (isAsked('decision')) await answer({ decision, ...(scopes && { granted_scopes: scopes }) });
  const last = pages.at(-1);
  const posted = last && formForClient(last);
  const location = last?.location ?? posted?.action;
  if (last === undefined || location === undefined) {
    throw new Error(`the flow ended at ${last?.url} with ${last?.status}: ${last?.text}`);
  }
  const parameters = posted === undefined ? answeredBy(location) : postedBy(posted);
  return { redirect: last, location, parameters, pages };
}

export interface FlowResult {
  /** The answer that redirects to the client, or the page with the form for the client. */
  readonly redirect: Page;
  /** The client's redirect URI, with the parameters of the response if they are not in a form. */
  readonly location: string;
  /** The parameters of the response, in the query, in the fragment or in a form. */
  readonly parameters: URLSearchParams;
  /** All pages of the flow; the last one is the redirect. */
  readonly pages: readonly Page[];
}

/** The parameters of an authorization response. */
export function answeredBy(location: string): URLSearchParams {
  const { hash, search } = new URL(location);
  return new URLSearchParams(hash === '' ? search : hash.slice(1));
}

/** The form that a page posts to another origin (OAuth 2.0 Form Post Response Mode); `undefined` if there is none. */
export function formForClient({ url, forms }: Page): HtmlForm | undefined {
  return forms.find(({ action, method }) => method === 'POST' && !action.startsWith(new URL(url).origin));
}

function postedBy({ controls }: HtmlForm): URLSearchParams {
  const fields = controls.filter(({ type }) => type === 'hidden');
  return new URLSearchParams(fields.map(({ name, value }): [string, string] => [name, value]));
}

function hasControl(form: Page['forms'][number], name: string): boolean {
  return form.controls.some((control) => control.name === name);
}
