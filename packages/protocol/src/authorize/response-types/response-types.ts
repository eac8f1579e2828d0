import { type Tracer, traced } from '../../ports/system/tracer.ts';
import type { ProfileChecks } from '../../rules/profile-checks.ts';
import { codeResponseType } from './code.ts';
import { hybridFlow } from './hybrid-flow.ts';
import { type ImplicitFlowDependencies, implicitFlow } from './implicit-flow.ts';
import type { CodeDependencies } from './new-code.ts';
import type { ResponseType } from './response-type.ts';

export type ResponseTypeDependencies = CodeDependencies & ImplicitFlowDependencies;

/** The response types of a server. */
export type ResponseTypes = readonly ResponseType[];

/**
 * @param tracer for requests that are traced
 * @param profile absent: `compatible`. No client may use what it does not take, also in a request that began before.
 */
export function responseTypesOf(
  deps: ResponseTypeDependencies,
  tracer?: Tracer,
  profile?: ProfileChecks,
): ResponseTypes {
  const types = tableOf(deps).map((type) =>
    profile === undefined || profile.takesResponseType(type.name)
      ? type
      : { ...type, isAllowedFor: () => false },
  );
  if (tracer === undefined) return types;
  return types.map((type) => ({ ...type, issue: traced(tracer, `issue ${type.name}`, type.issue) }));
}

/** The table of response types: a new one is a file in this folder and an entry here. */
function tableOf(deps: ResponseTypeDependencies): ResponseTypes {
  return [
    codeResponseType(deps),
    // The implicit grant (RFC 6749 §4.2), with an ID token, and the ID token alone (OpenID Connect Core §3.2).
    implicitFlow('token', { accessToken: true, idToken: false }, deps),
    implicitFlow('id_token', { accessToken: false, idToken: true }, deps),
    implicitFlow('id_token token', { accessToken: true, idToken: true }, deps),
    // The hybrid flow (OpenID Connect Core §3.3).
    hybridFlow('code id_token', { accessToken: false, idToken: true }, deps),
    hybridFlow('code token', { accessToken: true, idToken: false }, deps),
    hybridFlow('code id_token token', { accessToken: true, idToken: true }, deps),
  ];
}

/** Whether the response has a code: each word of the name is a part of the response (Multiple Response Types §2.1, §5). */
export function issuesCode({ name }: ResponseType): boolean {
  return name.split(' ').includes('code');
}

/** Finds a response type by the value of `response_type`, whose words have no order (RFC 6749 §3.1.1). */
export function findResponseType(types: ResponseTypes, value: string | undefined): ResponseType | undefined {
  return value === undefined ? undefined : types.find(({ name }) => inOrder(name) === inOrder(value));
}

function inOrder(value: string): string {
  return value.includes(' ') ? value.split(' ').sort().join(' ') : value;
}
