import type {
  Authenticated,
  AuthenticationModule,
  AuthenticationStep,
  IdentityProviders,
} from '@watchword/protocol';
import type { ModuleCall, ModuleCalls } from '../module-calls.ts';
import { checkAuthenticationEvent } from './checked-authentication-event.ts';
import { checkedEndpoint } from './checked-endpoint.ts';
import { checkFields, checkForm, checkState } from './checked-form.ts';
import { checkedUrl } from './checked-location.ts';
import { checkedPrincipal, checkIdentityProvider } from './checked-principal.ts';
import { checkStep } from './checked-step.ts';
import { demand, isRecordOfTexts, isText } from './nonsense.ts';

const steps: readonly AuthenticationStep['type'][] = ['form', 'redirect', 'post', 'authenticated', 'refused'];

/** A module that is held to its contract. It always says which identity providers it is configured with. */
export interface CheckedAuthenticationModule extends AuthenticationModule, IdentityProviders {
  /** Whether it can stand in front of several identity providers, instead of being its only one. */
  readonly namesIdentityProviders: boolean;
  isConfigured(identityProvider: string): boolean | undefined;
}

/**
 * Holds a module to its contract, in all that it is asked for.
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
    // Here the person is logged out already; where else they are not, the log has the fault.
    logout: (data) =>
      calls.run(of('logout'), () => module.logout?.(data), optionalUrl).catch(() => undefined),
    close: () => calls.run(of('close'), () => module.close?.(), ignored).catch(ignored),
  };
}

type Run = <Answer, Checked>(
  call: string,
  work: () => Answer | Promise<Answer>,
  check: (answer: Answer) => Checked,
) => Promise<Checked>;

type Described = Pick<CheckedAuthenticationModule, 'name' | 'isConfigured'>;

/** @param run calls what is the module's in the step itself @throws Nonsense */
function checkedStep(step: AuthenticationStep, module: Described, run: Run): AuthenticationStep {
  checkStep(step, steps);
  switch (step.type) {
    case 'form':
      checkForm(step);
      checkFields(step.fields);
      return step;
    case 'redirect':
      checkState(step.state);
      demand(typeof step.location === 'function', 'a redirect whose location is no function', step.location);
      return {
        ...step,
        location: (authState) => run('location', () => step.location(authState), checkedUrl),
      };
    case 'post':
      checkState(step.state);
      checkedUrl(step.location);
      demand(typeof step.fields === 'function', 'a post whose fields are no function', step.fields);
      return { ...step, fields: (authState) => run('fields', () => step.fields(authState), checkedPost) };
    case 'authenticated':
      return checkedLogin(step, module, run);
    case 'refused':
      demand(isText(step.description), 'a refusal whose description is no text', step.description);
      return step;
  }
}

function checkedLogin(step: Authenticated, { name, isConfigured }: Described, run: Run): Authenticated {
  const { principal, identityProvider = name, stillHolds, link } = step;
  checkIdentityProvider(identityProvider);
  checkAuthenticationEvent(step);
  // Else whoever logs in would have to log in again and again.
  demand(
    isConfigured(identityProvider) === true,
    `the identityProvider ${JSON.stringify(identityProvider)}, with which it is not configured`,
  );
  if (link !== undefined) {
    demand(isText(link?.key) && isText(link.data), 'a link whose key and data are no texts', link);
  }
  const asked = () => run('stillHolds', () => step.stillHolds?.() ?? true, checkedTruth);
  return {
    ...step,
    principal: checkedPrincipal(principal),
    ...(stillHolds && { stillHolds: asked }),
  };
}

function checkedPost(fields: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  demand(isRecordOfTexts(fields), 'fields to post that are no texts', fields);
  return fields;
}

function checkedTruth(answer: boolean): boolean {
  demand(typeof answer === 'boolean', 'neither true nor false', answer);
  return answer;
}

function checkedKnowledge(answer: boolean | undefined): boolean | undefined {
  return answer === undefined ? undefined : checkedTruth(answer);
}

function optionalUrl(location: string | undefined): string | undefined {
  return location === undefined ? undefined : checkedUrl(location);
}

function ignored(): void {}
