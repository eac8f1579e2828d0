import type { Message } from '@watchword/protocol';
import type { DeletionPage } from '../model/account-page.ts';
import {
  addressPage,
  askingPage,
  confirmPage,
  mailedPage,
  sentPage,
  signUpPage,
  signUpSentPage,
} from '../model/mailed-pages.ts';
import type { LoginStepPage, Page } from '../model/page.ts';
import { accountStates } from './account-states.ts';
import { errorStates } from './error-states.ts';
import { factorStates } from './factor-states.ts';
import {
  account,
  asking,
  choice,
  choices,
  client,
  consent,
  deletion,
  described,
  form,
  google,
  invitation,
  isNeutral,
  link,
  login,
  owner,
  type PageState,
  passkey,
  password,
  resourceServer,
  rooms,
  scopes,
  selfRegistered,
  shownClient,
  unconfirmed,
} from './state-samples.ts';

function deleting(name: string, of: Partial<DeletionPage>, ...keys: readonly string[]): PageState {
  return { name: `deletion${name}`, label: keys.map((key) => title(key)), page: { ...deletion, ...of } };
}
/** A state of a page whose message is its label. */
function withMessage(page: Page, name: string, key: string, values: Readonly<Record<string, string>> = {}) {
  const message = { key, values };
  return { name, label: [message], page: { ...page, message } as Page };
}

type Asked = Pick<LoginStepPage, 'title' | 'text' | 'fields' | 'choices' | 'loginUrl'>;

/** A page around a mail. @param before the page that leads to it, where its own title does not tell which one it is */
function mailed(name: string, shown: Asked, before?: Pick<Asked, 'title'>): PageState {
  const titles = [...(before ? [before.title] : []), shown.title];
  const page = { page: 'login-step', ...form, ...shown } as const;
  return { name, label: titles, page };
}

const title = (key: string, values: Readonly<Record<string, string>> = {}): Message => ({ key, values });
const uses = { client: client.name, resourceServer: resourceServer.name };

/** Every page in every state that users meet, in the order in which they meet them. */
export const pageStates: readonly PageState[] = [
  { name: 'login', label: [title('login.title'), shownClient], page: login },
  {
    name: 'login-account',
    label: [title('login.title'), title('login.account')],
    page: { page: 'login', ...form },
  },
  withMessage(login, 'login-wrong', 'login.wrong'),
  withMessage(login, 'login-wait', 'login.wait', { seconds: '600' }),
  withMessage(login, 'login-busy', 'login.busy'),
  withMessage(login, 'login-unavailable', 'login.unavailable'),
  withMessage({ ...login, isNeutral }, 'login-late', 'page.late'),
  {
    name: 'login-unconfirmed',
    label: [title('login.title'), title('unconfirmed.title')],
    page: { ...login, unconfirmed },
  },
  {
    name: 'login-other-way',
    label: [title('login.title'), title('authenticators.other')],
    page: { ...login, chooserUrl: '#' },
  },
  {
    name: 'login-insecure',
    label: [title('login.title'), title('danger.title')],
    page: { ...login, insecureBecause: 'danger.form' },
  },
  {
    name: 'login-choices',
    label: [title('login.title'), title('login.choices')],
    page: { ...login, choices: [{ value: 'user', text: title('login.demoUser', { name: 'Emma' }) }] },
  },
  {
    name: 'login-passkey',
    label: [title('login.title'), title('passkey.use')],
    page: { ...login, passkey },
  },
  ...['refused', 'script', 'late', 'unknown', 'elsewhere'].map((why) =>
    withMessage({ ...login, passkey }, `login-passkey-${why}`, `passkey.${why}`),
  ),
  {
    name: 'login-first',
    label: [title('login.title'), title('first.title')],
    page: { ...login, firstAdministrator: 'account' },
  },
  {
    name: 'authenticators',
    label: [title('authenticators.title')],
    page: {
      ...{ page: 'authenticators', authState: '', ...asking },
      authenticators: [
        { label: 'authenticator.password', url: '#', isLast: true, isInsecure: false },
        { label: 'Example University', url: '#', isLast: false, isInsecure: false },
      ],
    },
  },
  {
    name: 'choice',
    label: [title('choice.title')],
    page: { ...choice, last: choices[0] },
  },
  {
    name: 'choice-none',
    label: [title('choice.none')],
    page: { ...choice, query: 'xyz', choices: [], matches: 0 },
  },
  {
    name: 'login-step',
    label: [title('action.read')],
    page: {
      ...{ page: 'login-step', ...form, ...asking, owner, title: 'House rules' },
      text: 'Please read the rules of the house before you continue.',
      link: { url: '#', text: { key: 'action.read', values: {} } },
      choices: [
        { value: 'agree', text: { key: 'action.agree', values: {} } },
        { value: 'decline', text: { key: 'action.decline', values: {} } },
      ],
    },
  },
  ...factorStates,
  { name: 'step', label: [title('step.title')], page: { page: 'step', accountUrl: '#' } },
  {
    name: 'select-account',
    label: [title('select.title')],
    page: { page: 'select-account', ...form, ...asking, owner },
  },
  { name: 'consent', label: [title('consent.title', uses)], page: consent },
  {
    name: 'consent-login',
    label: [title('consent.loginTitle', uses)],
    page: {
      ...{ ...consent, isLoginOnly: true },
      scopes: [{ name: 'email', isOpenid: true, ticked: true, isNew: false }],
    },
  },
  withMessage(
    { ...consent, scopes: scopes.map((scope) => ({ ...scope, ticked: false })) },
    'consent-none',
    'consent.none',
  ),
  ...(
    [
      ['consent-unconfirmed', 'unconfirmed.title', unconfirmed],
      ['consent-described', 'described.local', described],
      ['consent-self-registered', 'described.self', selfRegistered],
    ] as const
  ).map(([name, text, shown]) => ({
    ...{ name, label: [title('consent.title', uses), title(text)] },
    page: { ...consent, unconfirmed: shown },
  })),
  {
    name: 'consent-several',
    label: [title('consent.title', { client: client.name, resourceServer: 'Calendar and Rooms' })],
    page: {
      ...{ ...consent, resourceServers: [resourceServer, rooms] },
      scopes: [
        ...scopes.map((scope) => ({ ...scope, resourceServer: resourceServer.key })),
        { name: 'book', value: '2\\book', resourceServer: rooms.key, ticked: true, isNew: true },
      ],
    },
  },
  { name: 'answered', label: [title('answered.title')], page: { page: 'answered', ...form, client } },
  {
    name: 'forward',
    label: [title('forward.title', { host: 'login.example' })],
    page: { page: 'forward', action: 'https://login.example/' },
  },
  { name: 'repeat', label: [title('repeat.title')], page: { page: 'repeat', action: '#', fields: [] } },
  ...accountStates,
  withMessage({ ...account, isNeutral }, 'account-password', 'account.passwordChanged'),
  mailed('forgotten', askingPage),
  mailed('forgotten-sent', sentPage),
  mailed('sign-up', signUpPage),
  mailed('sign-up-asked', { ...signUpPage, ...asking, loginUrl: '#' }, { title: shownClient }),
  mailed('sign-up-sent', signUpSentPage, signUpPage),
  mailed('address', addressPage(owner.displayName, '', true)),
  mailed('address-sent', mailedPage),
  mailed('address-confirm', confirmPage(owner.displayName, 'emma@example.com')),
  { name: 'password', label: [title('password.title'), title('password.once')], page: password },
  {
    name: 'password-change',
    label: [title('password.title'), title('password.current')],
    page: { ...password, accountUrl: '#', endsGrants: true },
  },
  {
    name: 'password-first',
    label: [title('account.firstPassword'), title('password.title')],
    page: { ...password, accountUrl: '#', isFirst: true },
  },
  {
    name: 'password-code',
    label: [title('password.title'), title('password.code')],
    page: { ...password, asksCode: true },
  },
  withMessage(password, 'password-differ', 'password.differ'),
  withMessage(password, 'password-breached', 'password.breached'),
  withMessage(password, 'password-names', 'password.names'),
  withMessage({ ...password, accountUrl: '#' }, 'password-wrong', 'password.wrong'),
  { name: 'invitation', label: [title('invitation.title')], page: invitation },
  {
    name: 'invitation-passkey',
    label: [title('invitation.title'), title('invitation.passkeyLead')],
    page: { ...invitation, asksPasskey: true },
  },
  withMessage({ ...invitation, address: 'emma@example.org' }, 'sign-up-account', 'invitation.taken'),
  {
    name: 'password-set',
    label: [title('password-set.title')],
    page: { page: 'password-set', accountUrl: '#' },
  },
  {
    name: 'account-made',
    label: [title('account-made.title')],
    page: { page: 'password-set', isNew: true, accountUrl: '#' },
  },
  { name: 'link', label: [title('link.title', { provider: google.label })], page: link },
  deleting('', {}, 'deletion.title'),
  deleting('-elsewhere', { isLocal: false }, 'deletion.titleElsewhere'),
  deleting('-login', { obstacle: 'login' }, 'deletion.title', 'deletion.signInAgain'),
  deleting('-administrator', { obstacle: 'administrator' }, 'deletion.title', 'deletion.administrator'),
  deleting('-records', { obstacle: 'records' }, 'deletion.title', 'deletion.records'),
  {
    name: 'deleted',
    label: [title('deleted.title')],
    page: { page: 'deleted', isLocal: true, accountUrl: '#' },
  },
  { name: 'logout', label: [title('logout.title')], page: { page: 'logout', ...form, owner } },
  {
    name: 'logout-client',
    label: [title('logout.title'), shownClient],
    page: { page: 'logout', ...form, owner, client },
  },
  {
    name: 'logged-out',
    label: [title('logged-out.title')],
    page: { page: 'logged-out', accountUrl: '#' },
  },
  {
    name: 'logged-out-client',
    label: [title('logged-out.title'), title('logged-out.return', uses)],
    page: { page: 'logged-out', client: { ...client, url: '#' } },
  },
  {
    name: 'start',
    label: [title('start.title')],
    page: {
      ...{ page: 'start', accountUrl: '#', administrationUrl: '#' },
      ...{ metadataUrl: '#', documentationUrl: '#' },
    },
  },
  {
    name: 'start-first',
    label: [title('start.title'), title('first.title')],
    page: {
      ...{ page: 'start', accountUrl: '#', administrationUrl: '#' },
      ...{ metadataUrl: '#', documentationUrl: '#', firstAdministrator: 'form' },
    },
  },
  ...errorStates,
];
