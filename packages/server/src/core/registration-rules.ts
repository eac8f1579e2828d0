import type { AdministrationDependencies } from '@watchword/administration';
import { OutboundError, type OutboundErrorKind } from '@watchword/outbound';
import {
  type OutboundFetch,
  type ProfileChecks,
  profileChecks,
  type SectorDocument,
  type SectorIdentifiers,
} from '@watchword/protocol';
import type { Configuration } from '../config/settings.ts';
import { outboundFetchOf } from './outbound.ts';

/** What the rules of registered records depend on, in addition to the database. */
export interface RegistrationRules
  extends Required<
    Pick<AdministrationDependencies, 'algorithms' | 'registration' | 'scopeSyntax' | 'sectorIdentifiers'>
  > {
  /** `undefined`: `compatible`. */
  readonly profile: ProfileChecks | undefined;
}

/** @param outboundFetch requests the documents of sector identifier URIs */
export function registrationRulesOf(
  configuration: Configuration,
  outboundFetch: OutboundFetch = outboundFetchOf(configuration),
): RegistrationRules {
  return {
    algorithms: configuration['signing.algorithms'],
    profile: profileChecks(configuration.profile),
    registration: configuration['administration.registration'],
    scopeSyntax: { commaSeparated: configuration['scope.commaSeparated'] },
    sectorIdentifiers: sectorIdentifiersOf(outboundFetch),
  };
}

/** 100 redirect URIs of 2,000 characters each, with their quotes. */
const maxBytes = 250_000;
const limits = { maxBytes, answerTimeout: 5_000, timeout: 5_000 };

/** Requests the documents of sector identifier URIs. */
export function sectorIdentifiersOf(outboundFetch: OutboundFetch): SectorIdentifiers {
  return {
    async read(uri) {
      try {
        return await documentAt(uri, outboundFetch);
      } catch (error) {
        if (error instanceof OutboundError) return { problem: problems[error.kind] };
        throw error;
      }
    },
  };
}

async function documentAt(uri: string, outboundFetch: OutboundFetch): Promise<SectorDocument> {
  using answer = await outboundFetch(uri, { ...limits, headers: { accept: 'application/json' } });
  if (answer.status !== 200) return { problem: `answered with status ${answer.status}; expected 200` };
  const document = await answer.json();
  const isList = Array.isArray(document) && document.every((member) => typeof member === 'string');
  return isList
    ? { redirectUris: document }
    : { problem: 'has a document that is not a JSON array of texts' };
}

const notPublic =
  'has a host without a public address; an operator can permit others by the setting outbound.privateHosts';
const unreachable = 'cannot be requested: its server does not answer as it should';

/** The record owner does not learn what the server finds in its own network. */
const problems: Readonly<Record<OutboundErrorKind, string>> = {
  'invalid-url': 'is not an https URL',
  'unresolved-host': notPublic,
  'private-address': notPublic,
  unreachable,
  tls: 'cannot be requested: the certificate of its server is not valid for it',
  timeout: 'cannot be requested: its server does not answer within 5 seconds',
  'too-large': `has a document of more than ${maxBytes} bytes`,
  redirect: 'redirects to another address; register the final address',
  'malformed-answer': 'has a document that is not JSON',
  aborted: unreachable,
};
