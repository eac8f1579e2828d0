import type { Form, Reply } from '../send.ts';
import { credentialsOf } from './credentials.ts';
import type { Flow, NamedFindings } from './flow.ts';

/** Requests of the client to the server, with its authentication. */
export interface ClientRequests {
  /** @param endpoint a member of the metadata */
  post(endpoint: string, form: Form): Promise<Reply>;
  readonly isConfidential: boolean;
}

/** Without what the client needs to authenticate there is a finding, and `undefined`. @param step that needs them */
export async function* clientRequests(flow: Flow, step: string): NamedFindings<ClientRequests | undefined> {
  const credentials = yield* credentialsOf(flow, step);
  if (credentials === undefined) return undefined;
  const { metadata, send } = flow.server;
  return {
    isConfidential: flow.client.confidential,
    async post(endpoint, form) {
      const { form: own, headers = {} } = await credentials();
      return send(String(metadata[endpoint]), { headers, form: { ...own, ...form } });
    },
  };
}
