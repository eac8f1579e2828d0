import {
  type Authenticated,
  type AuthenticationContext,
  type AuthenticationStep,
  type ModuleEndpoint,
  type Submission,
  submitted,
} from '@watchword/protocol';
import { paths } from '../addresses.ts';
import type { SamlDependencies } from '../dependencies.ts';
import { askForGroups } from '../group-provider.ts';
import type { IdentityProvider } from '../metadata/identity-provider.ts';
import {
  type MappedPerson,
  mapPrincipal,
  requireMembership,
  withGroups,
} from '../principal/map-principal.ts';
import { type Attributes, withinScopes } from '../principal/scopes.ts';
import { stableIdOf } from '../principal/stable-id.ts';
import { reportingErrors } from '../reporting-errors.ts';
import { type AcceptedLogin, collectLogin } from '../response/accepted-login.ts';
import { SamlError } from '../saml-error.ts';
import { askProvider, type PendingLogin } from './begin.ts';
import { sessionLink } from './session-link.ts';

/** `GET {base}/saml/resume`: the browser returns with its cookies and the receipt of its accepted login. */
export function resumeEndpoint(): ModuleEndpoint {
  return {
    path: paths.resume,
    method: 'GET',
    answer: async ({ parameters }) => ({
      type: 'resume',
      authState: submitted(parameters, 'auth_state'),
      submission: new Map([['login', [submitted(parameters, 'login')]]]),
    }),
  };
}

/** The next step: a request after the choice of an identity provider, or the end of the login after its response. */
export async function resume(
  context: AuthenticationContext,
  submission: Submission,
  deps: SamlDependencies,
): Promise<AuthenticationStep> {
  const pending = context.state as PendingLogin | undefined;
  const choice = submitted(submission, 'choice');
  const provider = choice || pending?.provider;
  return reportingErrors({ of: 'login', requestId: context.requestId, provider }, deps, async () => {
    const found = deps.directory.find(provider ?? '', deps.services.clock.now());
    if (found === undefined)
      throw new SamlError('provider', 'the identity provider is not known, or its metadata has expired');
    if (choice !== '') return askProvider(found, context, deps);
    const login = await collectLogin(submitted(submission, 'login'), deps.services);
    const answered = asked(login, pending, context, deps);
    const step = () => authenticated(answered, found, context, deps);
    return context.isTest === true ? tried(answered, step) : step();
  });
}

/** The step of a test login, with what came. */
async function tried(
  { assertion }: AcceptedLogin,
  step: () => Promise<Authenticated>,
): Promise<AuthenticationStep> {
  const { nameId, authnContextClass } = assertion;
  const received = {
    ...(nameId && { NameID: [nameId.value], 'NameID Format': [nameId.format ?? ''] }),
    ...(authnContextClass !== undefined && { AuthnContextClassRef: [authnContextClass] }),
    ...Object.fromEntries(assertion.attributes),
  };
  try {
    return { ...(await step()), received };
  } catch (error) {
    if (!(error instanceof SamlError)) throw error;
    return { type: 'refused', description: plain(`${error.check}: ${error.message}`), received };
  }
}

/** As `AuthenticationRefused` has it. */
function plain(text: string): string {
  return text.replaceAll(/[^ -~]|["\\]/g, '?');
}

/** The login, if it answers the request of this browser. @throws SamlError */
function asked(
  login: AcceptedLogin | undefined,
  pending: PendingLogin | undefined,
  { isFresh }: AuthenticationContext,
  { options }: SamlDependencies,
): AcceptedLogin {
  if (login === undefined) throw new SamlError('replay', 'the login was already used, or has expired');
  if (login.assertion.issuer !== pending?.provider || login.inResponseTo !== pending.requestId) {
    throw new SamlError(
      'request',
      'the login answers a request of another browser, or to another identity provider',
    );
  }
  if (isFresh && login.assertion.authenticatedAt < pending.askedAt - options.clockSkew) {
    throw new SamlError('time', 'the request needs a new login, but the user authenticated before it');
  }
  return login;
}

async function authenticated(
  { assertion }: AcceptedLogin,
  provider: IdentityProvider,
  { requestId }: AuthenticationContext,
  deps: SamlDependencies,
): Promise<Authenticated> {
  const { options, log } = deps;
  const { checkScopes } = options.principal;
  const { attributes, foreign } = checkScopes
    ? withinScopes(assertion.attributes, provider)
    : { attributes: assertion.attributes, foreign: [] };
  if (foreign.length > 0) {
    log('warn', "values with a domain that is not the identity provider's were removed", {
      requestId,
      provider: provider.entityId,
      attributes: foreign,
    });
  }
  const mapped = mapPrincipal(assertion, attributes, provider, options.principal);
  const person = await enriched(mapped, attributes, requestId, deps);
  requireMembership(person, options.principal);
  const link = sessionLink(assertion, provider, options, deps.services.clock.now());
  const { principal, identityProvider } = person;
  const { entityId } = deps.addresses;
  const stableId = stableIdOf(assertion, attributes, options.principal.stableId, entityId);
  const { authenticatedAt, authnContextClass: acr } = assertion;
  return {
    type: 'authenticated',
    principal,
    identityProvider,
    authenticatedAt,
    ...(stableId !== undefined && { stableId }),
    ...(acr !== undefined && { acr }),
    ...(link && { link }),
  };
}

/** Adds the groups of the group provider, if there is one. @throws SamlError `groups` */
async function enriched(
  person: MappedPerson,
  attributes: Attributes,
  requestId: string,
  { groupProvider, options, log }: SamlDependencies,
): Promise<MappedPerson> {
  if (groupProvider === undefined) return person;
  try {
    const more = await askForGroups(groupProvider, {
      name: person.principal.name,
      identityProvider: person.identityProvider,
      attributes: Object.fromEntries(attributes),
    });
    return withGroups(person, more, options.principal);
  } catch (error) {
    log('error', 'the group provider failed', {
      requestId,
      reason: error instanceof Error ? error.message : '',
    });
    throw new SamlError('groups', 'the group provider failed');
  }
}
