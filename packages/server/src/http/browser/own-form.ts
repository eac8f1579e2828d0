import type { PasswordProblem } from '@watchword/accounts';
import type { BrowserCookies } from '@watchword/protocol';
import type { FormPage } from '../../pages/model/form-page.ts';
import type { Page } from '../../pages/model/page.ts';
import type { HttpAnswer } from '../answer.ts';
import type { HttpRequest } from '../request.ts';
import type { BrowserAnswers, ShownPageOptions } from './browser-answers.ts';
import { lateMessage } from './restart-message.ts';

/** What the rules say of a form with which people see to their accounts. */
interface OwnFormView {
  readonly authState: string;
  readonly cookies: BrowserCookies;
  readonly isLate?: boolean;
  readonly problem?: PasswordProblem | undefined;
}

type WithoutView<Form> = Form extends FormPage ? Omit<Form, 'authState' | 'message' | 'isNeutral'> : never;

/** The page of the form, with why it comes again if it does. */
export function ownForm(
  request: HttpRequest,
  page: WithoutView<Page>,
  { authState, cookies, isLate = false, problem }: OwnFormView,
  answers: BrowserAnswers,
  options: Pick<ShownPageOptions, 'destination' | 'languages'> = {},
): HttpAnswer {
  const { message, status, retryAfter } = problem ?? {};
  const shown = { ...page, authState, ...(isLate ? lateMessage : { message }) };
  return answers.page(request, shown, { ...options, cookies, status, retryAfter });
}
