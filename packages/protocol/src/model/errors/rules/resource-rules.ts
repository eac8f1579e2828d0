import { withHidden } from '../../hidden-characters.ts';
import { listed, quoted, quotedUrl } from '../../quoted.ts';
import type { Scopes } from '../../scope.ts';
import type { ErrorRule } from './error-rule.ts';

/** Rules of the parameter resource. */
export const resourceRules = {
  resource_uri: {
    requirement:
      'A resource is an absolute URI without a fragment: https, or http on a loopback host. A request names at most 20.',
    section: 'RFC 8707 §2',
    advice: 'Send the URI as the API tells it, for example in its protected resource metadata.',
    /** The value, or the greatest number of values, if there are more. */
    refusal: (facts: { readonly uri: string } | { readonly most: number }) =>
      'most' in facts
        ? { description: `The parameter resource comes more than ${facts.most} times.` }
        : {
            description: withHidden('A resource must be an absolute URI without a fragment.', facts.uri),
            reason: `A resource must be an absolute URI without a fragment; the request has ${quotedUrl(facts.uri)}.`,
            came: quotedUrl(facts.uri),
          },
  },
  usable_resource: {
    requirement:
      'A request names only resource servers that the client can use, by a URI that they have registered.',
    section: 'RFC 8707 §2',
    command: 'watchword client show {client}',
    advice:
      'Compare the URI with the resources of the resource servers. The client can use its own resource server, and those of its otherResourceServers.',
    refusal: ({ uri }: { readonly uri: string }) => ({
      description: withHidden('No resource server that the client may use has this resource.', uri),
      // The same for an unknown one and for one that the client may not use: it can be that of another owner.
      reason: `The request names the resource ${quotedUrl(uri)}, which no resource server has that the client can use.`,
      came: quotedUrl(uri),
    }),
  },
  granted_resource: {
    requirement: 'A token is requested for resources of the authorization request, or for some of them.',
    section: 'RFC 8707 §2.2',
    advice: 'Name all resources in the authorization request, and some of them in the token request.',
    refusal: ({ missing, granted }: { readonly missing: string; readonly granted: readonly string[] }) => ({
      description: withHidden('The resource was not granted with the authorization request.', missing),
      reason: `The token request names the resource ${quotedUrl(missing)}. The authorization request named: ${listed(granted)}.`,
      expected: listed(granted),
      came: quotedUrl(missing),
    }),
  },
  remaining_resource: {
    requirement: 'At least one resource server of the grant can still be used by the client.',
    section: 'RFC 8707 §2',
    command: 'watchword client show {client}',
    advice:
      'Give the client its resource servers again, or send the user through the authorization endpoint again.',
    refusal: () => ({
      description: 'The client may no longer use any resource of the grant.',
      reason: 'The client can no longer use any resource server of the grant.',
    }),
  },
  named_resource: {
    requirement: 'A client without a resource server of its own gets scopes of one that it names.',
    section: 'RFC 8707 §2',
    advice: 'Send the parameter resource with the URI of the API.',
    refusal: ({ scope }: { readonly scope: string }) => ({
      description: 'The scope is that of a resource server; name it by the parameter resource.',
      expected: 'the parameter resource',
      came: `the scope ${quoted(scope)} alone`,
    }),
  },
  unambiguous_scope: {
    requirement: 'No scope of a JWT for several resource servers has a name that two of them know.',
    section: 'RFC 9068 §3',
    advice:
      'Request a token for one of the resources by the parameter resource. An opaque token (accessTokenFormat) can be for all.',
    refusal: ({ scopes, keys }: { readonly scopes: Scopes; readonly keys: readonly string[] }) => ({
      description: 'Several of the resources have a scope of the same name; request a token for one of them.',
      reason: `A JWT for ${listed(keys)} cannot say for which of them these scopes are: ${listed(scopes)}.`,
      came: listed(scopes),
    }),
  },
} as const satisfies Record<string, ErrorRule>;
