import type { Client } from '@watchword/admin-client';
import { usePerson } from '../../environment.ts';
import { Link } from '../../router/link.tsx';
import { routeTo } from '../../router/place.ts';
import { clientRoute } from '../../router/routes.ts';

interface SecretNoteProps {
  readonly client: Client;
  /** As the form has it. */
  readonly isConfidential: boolean;
}

/** Shown before saving: what becomes of the secret. */
export function SecretNote({ client, isConfidential }: SecretNoteProps) {
  if (client.confidential === isConfidential) return undefined;
  return (
    <p className="warning" role="status">
      {isConfidential
        ? 'After saving it has no secret yet and cannot authenticate: rotate its secret then.'
        : 'Saving removes its secret at once. It authenticates with its clientId alone, and needs PKCE.'}
    </p>
  );
}

/** Above a client that was public, and has no secret yet. */
export function LacksSecret({ client }: { readonly client: Client }) {
  const { mayWrite } = usePerson();
  if (client.lacksSecret !== true) return undefined;
  const danger = routeTo(clientRoute(client.resourceserver_id, client.id), { tab: 'danger' });
  return (
    <p className="warning" role="status">
      This client is confidential and has no secret, so it cannot authenticate.
      {mayWrite && (
        <>
          {' '}
          <Link to={danger}>Rotate its secret</Link> to give it one.
        </>
      )}
    </p>
  );
}
