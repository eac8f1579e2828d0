import type { Client } from '@watchword/admin-client';
import { usePerson } from '../../environment.ts';
import { Link } from '../../router/link.tsx';
import { routeTo } from '../../router/place.ts';
import { clientRoute } from '../../router/routes.ts';
import { usesSecret } from '../../rules/uses-secret.ts';
import { rich } from '../../texts/rich.tsx';
import { t } from '../../texts/texts.ts';

interface SecretNoteProps {
  readonly client: Client;
  /** As the form has them. */
  readonly values: Pick<Client, 'confidential' | 'tokenEndpointAuthMethod'>;
}

/** Shown before saving: what becomes of the secret. */
export function SecretNote({ client, values }: SecretNoteProps) {
  if (usesSecret(client) === usesSecret(values)) return undefined;
  const lost = values.confidential ? 'client.secret.willBeKeys' : 'client.secret.willLose';
  return (
    <p className="warning" role="status">
      {t(usesSecret(values) ? 'client.secret.willLack' : lost)}
    </p>
  );
}

/** Above a client that had no use for a secret, and has none yet. */
export function LacksSecret({ client }: { readonly client: Client }) {
  const { mayWrite } = usePerson();
  if (client.lacksSecret !== true) return undefined;
  const danger = routeTo(clientRoute(client.resourceserver_id, client.id), { tab: 'danger' });
  return (
    <p className="warning" role="status">
      {mayWrite
        ? rich('client.secret.lacksRotate', { link: (text) => <Link to={danger}>{text}</Link> })
        : t('client.secret.lacks')}
    </p>
  );
}
