import {
  type Authenticated,
  type AuthenticationContext,
  type AuthenticationModule,
  type LoginFormStep,
  type Principal,
  type ProvidedClaims,
  submitted,
} from '@watchword/protocol';
import { principalNamed } from './principal-named.ts';

// Users choose any user name. It is not checked against accounts, so it is not normalized.
const maxUsernameLength = 255;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are rejected
const unfit = /[\u0000-\u001f\u007f-\u009f]/;

/** The identity provider of every user who types a name. */
export const formIdentityProvider = 'form';

/**
 * The administrator of the demo. The identity provider is another one than that of typed names, so no name that a user types is this
 * person, and tokens of this person are not valid on a server without the demo.
 */
export const demoAdministrator: {
  readonly identityProvider: string;
  readonly principal: Principal;
} = {
  identityProvider: 'demo',
  principal: { ...principalNamed('ada', true), attributes: { DISPLAY_NAME: 'Ada' } },
};

/** Everybody can be this user of the demo by typing the name, too. */
const demoUser = 'emma';

/** Accepts every user name and password, for demonstrations and development. */
export function formModule(): AuthenticationModule {
  return {
    name: formIdentityProvider,
    label: 'authenticator.form',
    insecureBecause: 'danger.form',
    begin: async () => ({ type: 'form' }),
    resume: async (_context, submission) => typedLogin(submitted(submission, 'username').trim()),
  };
}

/**
 * The same with a button for each person of the demo: an administrator and a user. They are there only in a browser of this machine.
 *
 * @param isDemo whether the database is one of the demo: no records of others are open to the administrator
 */
export function demoFormModule(isDemo: () => boolean): AuthenticationModule {
  const form = formModule();
  const offered = (context: AuthenticationContext) => (context.isAtThisMachine && isDemo() ? choices : []);
  const withChoices = (step: LoginFormStep, context: AuthenticationContext): LoginFormStep => ({
    ...step,
    choices: offered(context).map(({ value, text }) => ({ value, text })),
  });
  return {
    ...form,
    isConfigured: (identityProvider) =>
      identityProvider === formIdentityProvider ||
      (identityProvider === demoAdministrator.identityProvider && isDemo()),
    begin: async (context) => withChoices({ type: 'form' }, context),
    resume: async (context, submission) => {
      const chosen = submitted(submission, 'choice');
      const choice = offered(context).find(({ value }) => value === chosen);
      if (choice !== undefined) return choice.login;
      const step = typedLogin(submitted(submission, 'username').trim());
      return step.type === 'form' ? withChoices(step, context) : step;
    },
  };
}

const choices = [
  {
    value: 'administrator',
    text: { key: 'login.demoAdministrator', values: { name: 'Ada' } },
    login: {
      type: 'authenticated',
      ...demoAdministrator,
      claims: { ...claimsOf(demoAdministrator.principal.name), name: 'Ada' },
    } satisfies Authenticated,
  },
  { value: 'user', text: { key: 'login.demoUser', values: { name: 'Emma' } }, login: loginAs(demoUser) },
] as const;

function typedLogin(name: string): Authenticated | LoginFormStep {
  return isUsername(name) ? loginAs(name) : { type: 'form', status: 400, message: { key: 'login.username' } };
}

function loginAs(name: string): Authenticated {
  return { type: 'authenticated', principal: principalNamed(name, false), claims: claimsOf(name) };
}

/** Claims as clients of OpenID Connect expect them. Nobody has an address of this domain (RFC 2606 §3). */
export function claimsOf(name: string): ProvidedClaims {
  return { name, ...(/^[\w.+-]+$/.test(name) && { email: `${name}@example.org`, email_verified: false }) };
}

function isUsername(name: string): boolean {
  return name !== '' && name.length <= maxUsernameLength && !unfit.test(name) && name.isWellFormed();
}
