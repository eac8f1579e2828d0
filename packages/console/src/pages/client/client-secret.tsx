import type { Client } from '@watchword/admin-client';
import { usePerson } from '../../environment.ts';
import { Link } from '../../router/link.tsx';
import { routeTo } from '../../router/place.ts';
import { clientRoute } from '../../router/routes.ts';
import { rich } from '../../texts/rich.tsx';
import { t } from '../../texts/texts.ts';

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
      {t(isConfidential ? 'client.secret.willLack' : 'client.secret.willLose')}
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
      {mayWrite
        ? rich('client.secret.lacksRotate', { link: (text) => <Link to={danger}>{text}</Link> })
        : t('client.secret.lacks')}
    </p>
  );
}
