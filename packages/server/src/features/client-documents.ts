import { blockedHost, describedClients } from '@watchword/administration';
import {
  because,
  documentClient,
  documentUrlProblem,
  isHostAllowed,
  OAuthError,
  openClientsKey,
  unstoredHome,
} from '@watchword/protocol';
import { documentFetchOf } from '../core/clients/client-documents.ts';
import type { Core } from '../core/core.ts';
import { ClientDocuments } from '../runtime/client-documents/client-documents.ts';
import { auditLine } from '../runtime/log/audit-line.ts';
import type { Feature } from './feature.ts';

type Parts = Pick<Core, 'clock' | 'configuration' | 'logger' | 'profile' | 'random' | 'store' | 'tracing'>;

/** Clients that nobody registers: their client_id is the URL of a document (draft-ietf-oauth-client-id-metadata-document). */
export function clientDocuments(parts: Parts): Feature {
  const { clock, configuration, logger, random, store } = parts;
  const documentHosts = configuration['clients.metadataDocuments'];
  if (documentHosts === 'off') return {};
  const documents = new ClientDocuments(documentFetchOf(parts));
  const { hostRules, registry } = store;
  const { keep } = describedClients({
    ...store,
    clock,
    random,
    documentHosts,
    toolsPerPerson: configuration['clients.toolsPerPerson'],
    audited: (event) => logger.info({ audit: auditLine(event) }, 'changed a record'),
  });
  return {
    metadata: { client_id_metadata_document_supported: true },
    documentClients: {
      keep,
      async find(clientId, source) {
        const problem = documentUrlProblem(clientId);
        if (problem !== undefined) {
          throw new OAuthError('invalid_request', because('client_document_url', { problem }));
        }
        const isAllowed = isHostAllowed(new URL(clientId).hostname, documentHosts, await hostRules.list());
        if (!isAllowed) throw blockedHost({ clientId });
        const document = await documents.read(clientId, source);
        const resourceServer = registry.resourceServerByKey(openClientsKey) ?? unstoredHome;
        const stored = registry.clientByClientId(clientId);
        return { client: documentClient(clientId, document, resourceServer, stored), resourceServer };
      },
    },
  };
}
