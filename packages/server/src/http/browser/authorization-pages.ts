import type {
  AnsweredPageAnswer,
  AuthorizationAnswer,
  AuthorizationRequest,
  ConsentPageAnswer,
  ErrorPageAnswer,
  FormStep,
  LoginField,
  LoginPageAnswer,
  LoginStepPageAnswer,
  SelectAccountPageAnswer,
  Submission,
} from '@watchword/protocol';
import { accountIdentityProvider, destinationOf, isBuiltInClient, submitted } from '@watchword/protocol';
import { errorPage } from '../../pages/model/error-page.ts';
import type { FormPage } from '../../pages/model/form-page.ts';
import { signUpPage } from '../../pages/model/mailed-pages.ts';
import type {
  AnsweredPage,
  ConsentPage,
  ErrorPage,
  LoginPage,
  LoginStepPage,
  SelectAccountPage,
} from '../../pages/model/page.ts';
import type { FirstAdministrator } from '../../pages/model/start-page.ts';
import { type AuthenticatorsPageDependencies, chooserUrl } from './authenticators-page.ts';
import { restartMessage, type Shown, type Told } from './restart-message.ts';
import {
  isLoginOnly,
  loginPaths,
  shownCancelling,
  shownClient,
  shownLinks,
  shownOwner,
  shownScopes,
  shownServer,
  shownUnconfirmed,
  signUpPath,
} from './shown.ts';

export function loginPage(
  { step, authState, authenticator, request, ...told }: Shown<LoginPageAnswer>,
  deps: AuthenticatorsPageDependencies & FirstAdministratorDependencies,
): LoginPage {
  const { late } = told;
  const typed = (name: string) => (late === undefined ? undefined : typedText(late, name));
  return {
    page: 'login',
    action: `${deps.prefix}/login`,
    authState,
    ...shownCancelling(request, 'login', deps.prefix),
    fields: step.fields?.map((field) =>
      isSecret(field) ? field : { ...field, value: typed(field.name) ?? field.value },
    ),
    choices: step.choices,
    passkey: step.passkey,
    username: typed('username') ?? request?.loginHint,
    ...messageOf(step, told),
    insecureBecause: deps.authenticators.get(authenticator)?.insecureBecause,
    chooserUrl: chooserUrl(deps),
    ...(authenticator === accountIdentityProvider && {
      forgottenUrl: deps.forgottenUrl,
      signUpUrl: deps.signUpUrl,
    }),
    ...(request !== undefined &&
      isBuiltInClient(request.client, request.resourceServer) && {
        firstAdministrator: deps.firstAdministrator(),
      }),
  };
}

/** The page on which a person begins to make an account. @param request of the login in which the account is missing */
export function signUpForm(request: AuthorizationRequest | undefined, prefix: string) {
  return {
    page: 'login-step',
    action: `${prefix}${signUpPath}`,
    ...signUpPage,
    ...shownCancelling(request, 'signUp', prefix),
    loginUrl: `${prefix}${loginPaths.signUp}`,
  } as const;
}

export interface FirstAdministratorDependencies {
  /** Where people go who have forgotten the password of a local account; absent where no mail is sent. */
  readonly forgottenUrl?: string | undefined;
  /** Where people make an account by themselves; absent where they cannot. */
  readonly signUpUrl?: string | undefined;
  /** How the first administrator is made; `undefined` where there is one. */
  firstAdministrator(): FirstAdministrator | undefined;
}

export function loginStepPage(
  { form, authState, owner, request, ...told }: Shown<LoginStepPageAnswer>,
  action: string,
  prefix: string,
): LoginStepPage {
  const { title, text, link, fields, passkey, totp, codes, box, choices } = form;
  const asking = shownCancelling(request, 'step', prefix);
  const shown = { ...asking, owner: shownOwner(owner), ...messageOf(form, told) };
  return {
    page: 'login-step',
    action,
    authState,
    title,
    text,
    link,
    fields,
    passkey,
    totp,
    codes,
    box,
    choices,
    ...shown,
  };
}

export function consentPage(
  { step, authState, request, owner, scopes, consented, ...told }: Shown<ConsentPageAnswer>,
  prefix: string,
  insecureBecause: string | undefined,
): ConsentPage {
  const { client, resourceServer, target, targets } = request;
  const { ticked = told.late?.get('granted_scopes') ?? scopes } = step;
  // The login has no box: it is what the resource owner allows in any case.
  const boxes = request.openid === undefined ? scopes : scopes.filter((scope) => scope !== 'openid');
  return {
    page: 'consent',
    action: `${prefix}/consent`,
    authState,
    client: { ...shownClient(client), ...shownLinks(client) },
    destination: destinationOf(target),
    unconfirmed: shownUnconfirmed(request),
    resourceServers: targets.map(({ resourceServer: { description, ...server }, resources }) => ({
      ...{ ...shownServer(server, resources), description, resources },
    })),
    owner: shownOwner(owner),
    isLogin: request.openid !== undefined,
    isLoginOnly: isLoginOnly(request.scopes, resourceServer),
    scopes: shownScopes(boxes, resourceServer, targets).map((scope) => ({
      ...scope,
      ticked: ticked.includes(scope.value),
      isNew: !consented.includes(scope.value),
    })),
    ...messageOf(step, told),
    insecureBecause,
    switchUrl: `${prefix}/switch`,
    accountUrl: `${prefix}/account`,
  };
}

/** The message of a module above its form. Only an error status makes it a problem. */
export function messageOf(
  { message, status = 200 }: Pick<FormStep, 'message' | 'status'>,
  told: Told = {},
): Pick<FormPage, 'message' | 'isNeutral'> {
  const restarted = message === undefined ? restartMessage(told) : undefined;
  return restarted ?? { message, isNeutral: status < 400 };
}

/** What a field can have again that was typed on a page before: nothing secret, and nothing that nobody types. */
function typedText(late: Submission, name: string): string | undefined {
  const text = submitted(late, name);
  return text === '' || text.length > 255 || /\p{Cc}/u.test(text) ? undefined : text;
}

function isSecret({ type, autocomplete }: LoginField): boolean {
  return type === 'password' || /password|one-time-code/.test(autocomplete);
}

export function requestErrorPage({ error, response, target }: ErrorPageAnswer, requestId: string): ErrorPage {
  const { host } = destinationOf(target);
  const goOn = response && host !== undefined ? { ...response, host } : undefined;
  return { ...errorPage(error, requestId), goOn };
}

/** A page that says how something has ended. */
export function noticePage({ title, text }: Extract<AuthorizationAnswer, { type: 'notice' }>): LoginStepPage {
  return { page: 'login-step', action: '', authState: '', title, text, choices: [] };
}

export function selectAccountPage(
  { authState, request, owner, ...told }: Shown<SelectAccountPageAnswer>,
  prefix: string,
): SelectAccountPage {
  const asking = shownCancelling(request, 'select', prefix);
  const shown = { ...asking, owner: shownOwner(owner), ...messageOf({}, told) };
  return { page: 'select-account', action: `${prefix}/select`, authState, ...shown };
}

export function answeredPage({ authState, request }: AnsweredPageAnswer, action: string): AnsweredPage {
  return { page: 'answered', action, authState, client: shownClient(request.client) };
}
