import {
  type Authenticated,
  type AuthenticationModule,
  type AuthenticationStep,
  type IdentityProviders,
  isReservedIdentityProvider,
  type ModuleDescription,
  maxDescribedProviders,
  type Principal,
  shown,
} from '@watchword/protocol';
import * as v from 'valibot';
import type { ModuleCall, ModuleCalls } from '../module-calls.ts';
import { authenticationEventEntries } from './authentication-event-schema.ts';
import { checkedEndpoint } from './checked-endpoint.ts';
import { ContractError, held, heldVariant, variants } from './contract-error.ts';
import { formEntries, loginChoices, loginFields, passkeyRequest } from './form-schema.ts';
import { callable, flag, knownDevice, listOfTexts, name, state, text, textsByName, url } from './values.ts';

/**
 * The fields of a principal, without others. A principal from a module is stored and returned for months, so it is checked
 * once, here.
 */
const principal = v.object(
  { name, roles: listOfTexts, groups: listOfTexts, adminPrincipal: flag, attributes: textsByName },
  'a principal',
);

/** With a reserved name, a user would own the records of the server or of a client. */
const identityProvider = v.pipe(
  name,
  v.check((value) => !isReservedIdentityProvider(value), 'a name that is not reserved'),
);

/** Of a test login. */
const received = v.optional(v.record(text, listOfTexts, 'an object of lists of texts'));

const refusedLogin = v.optional(
  v.picklist(
    ['access_denied', 'login_required', 'interaction_required', 'unmet_authentication_requirements'],
    'access_denied, login_required, interaction_required or unmet_authentication_requirements',
  ),
);

const described = v.object({
  addresses: v.array(v.object({ name: text, value: text })),
  identityProviders: v.pipe(
    v.array(
      v.object({
        identityProvider: name,
        name: text,
        validUntil: v.optional(v.number()),
        certificates: v.array(v.object({ subject: text, fingerprint: text, validUntil: v.number() })),
      }),
    ),
    v.maxLength(maxDescribedProviders),
  ),
  total: v.number(),
});

const elsewhere = { brief: v.optional(flag), state };

const authenticationStep = variants(
  [
    v.object({ ...formEntries, fields: loginFields, choices: loginChoices, passkey: passkeyRequest }),
    v.object({ type: v.literal('redirect'), location: callable, ...elsewhere }),
    v.object({ type: v.literal('post'), location: url, fields: callable, ...elsewhere }),
    v.object({
      type: v.literal('authenticated'),
      principal,
      identityProvider: v.optional(identityProvider),
      ...authenticationEventEntries,
      mustReplacePassword: v.optional(v.literal(true, 'true')),
      stillHolds: v.optional(callable),
      device: v.optional(knownDevice),
      link: v.optional(v.object({ key: text, data: text }, 'a link with key and data')),
      received,
    }),
    v.object({ type: v.literal('refused'), error: refusedLogin, description: text, received }),
  ],
  'a step: form, redirect, post, authenticated or refused',
);

/** A module whose answers are checked against the contract. It always knows with which identity providers it is configured. */
export interface CheckedAuthenticationModule extends AuthenticationModule, IdentityProviders {
  /** Whether it can name several identity providers, instead of being the only one. */
  readonly namesIdentityProviders: boolean;
  isConfigured(identityProvider: string): boolean | undefined;
  problems(): readonly string[];
  describe(): ModuleDescription;
}

/**
 * Checks all answers of a module against the contract.
 *
 * @param instance the name under which the log reports the module
 * @param isForeign whether an identity provider belongs to another authenticator, so that this one cannot name it
 */
export function checkedAuthentication(
  module: AuthenticationModule,
  calls: ModuleCalls,
  instance = module.name,
  isForeign: (identityProvider: string) => boolean = () => false,
): CheckedAuthenticationModule {
  const { name, label, insecureBecause, endpoints, texts } = module;
  const of = (call: string, requestId?: string): ModuleCall => {
    return { setting: 'authenticator', module: instance, call, requestId };
  };
  const isConfigured = (identityProvider: string) => {
    if (module.isConfigured === undefined) return identityProvider === name;
    if (isForeign(identityProvider)) return false;
    return calls.ask(of('isConfigured'), () => module.isConfigured?.(identityProvider), checkedKnowledge);
  };
  const checked = (requestId: string) => (step: AuthenticationStep) => {
    const run: Run = (call, work, check) => calls.run(of(call, requestId), work, check);
    return checkedStep(step, { name, isConfigured }, run);
  };

  return {
    name,
    ...(label !== undefined && { label }),
    ...(insecureBecause !== undefined && { insecureBecause }),
    ...(endpoints !== undefined && {
      endpoints: endpoints.map((endpoint) => checkedEndpoint(endpoint, calls, of)),
    }),
    ...(texts !== undefined && { texts }),
    namesIdentityProviders: module.isConfigured !== undefined,
    isConfigured,
    begin: (context) => {
      const { requestId } = context;
      return calls.run(of('begin', requestId), () => module.begin(context), checked(requestId));
    },
    resume: (context, submission) => {
      const { requestId } = context;
      return calls.run(of('resume', requestId), () => module.resume(context, submission), checked(requestId));
    },
    // The user is logged out here already. The log has the error for the logout elsewhere.
    logout: (data) =>
      calls.run(of('logout'), () => module.logout?.(data), optionalUrl).catch(() => undefined),
    problems: () =>
      calls.ask(of('problems'), () => module.problems?.() ?? [], checkedProblems) ?? [unknownProblems],
    describe: () =>
      calls.ask(of('describe'), () => module.describe?.() ?? noDescription, checkedDescription) ??
      noDescription,
    close: () => calls.run(of('close'), () => module.close?.(), ignored).catch(ignored),
  };
}

type Run = <Answer, Checked>(
  call: string,
  work: () => Answer | Promise<Answer>,
  check: (answer: Answer) => Checked,
) => Promise<Checked>;

type Described = Pick<CheckedAuthenticationModule, 'name' | 'isConfigured'>;

/** @param run calls a function of the step @throws ContractError */
function checkedStep(step: AuthenticationStep, module: Described, run: Run): AuthenticationStep {
  const checked = heldVariant(authenticationStep, step);
  if (step.type === 'authenticated' && checked.type === 'authenticated') {
    return checkedLogin(step, checked.principal, module, run);
  }
  switch (step.type) {
    case 'redirect':
      return {
        ...step,
        location: (authState) => run('location', () => step.location(authState), checkedUrl),
      };
    case 'post':
      return { ...step, fields: (authState) => run('fields', () => step.fields(authState), checkedPost) };
    default:
      return step;
  }
}

/** @param principal without other fields than those of the contract */
function checkedLogin(
  step: Authenticated,
  principal: Principal,
  { name, isConfigured }: Described,
  run: Run,
): Authenticated {
  const { identityProvider = name, stillHolds } = step;
  // Otherwise the user would have to log in again and again.
  if (isConfigured(identityProvider) !== true) {
    throw new ContractError(
      `identityProvider: expected one with which the module is configured, got ${shown(identityProvider, 200)}`,
    );
  }
  const asked = () => run('stillHolds', () => step.stillHolds?.() ?? true, checkedFlag);
  return { ...step, principal, ...(stillHolds && { stillHolds: asked }) };
}

const checkedUrl = (location: string): string => held(url, location);
const checkedPost = (fields: Readonly<Record<string, string>>) => held(textsByName, fields);
const checkedFlag = (answer: boolean): boolean => held(flag, answer);

/** Called for every token. */
function checkedKnowledge(answer: boolean | undefined): boolean | undefined {
  return answer === undefined || typeof answer === 'boolean' ? answer : checkedFlag(answer);
}

export const noDescription: ModuleDescription = { addresses: [], identityProviders: [], total: 0 };
const checkedDescription = (given: ModuleDescription): ModuleDescription => held(described, given);

const unknownProblems = 'The module did not say what is wrong; the log of the server has the cause.';
const problemTexts = v.array(text, 'a list of texts');
const checkedProblems = (problems: readonly string[]): readonly string[] => held(problemTexts, problems);

function optionalUrl(location: string | undefined): string | undefined {
  return location === undefined ? undefined : checkedUrl(location);
}

function ignored(): void {}
