import type { Client } from '@watchword/admin-client';
import { usePerson } from '../../environment.ts';
import { fromNow } from '../../format/time.ts';
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

/** Milliseconds: thirty days. */
const soon = 2_592_000_000;

/** Above a client whose last secret has expired, or soon does. */
export function ExpiringSecret({ client: { secretExpires, ...client } }: { readonly client: Client }) {
  const now = Date.now();
  if (secretExpires === undefined || secretExpires > now + soon) return undefined;
  const secrets = routeTo(clientRoute(client.resourceserver_id, client.id), { tab: 'secrets' });
  return (
    <p className="warning" role="status">
      {rich(secretExpires > now ? 'secrets.expires' : 'secrets.expired', {
        when: fromNow(secretExpires, now),
        link: (text) => <Link to={secrets}>{text}</Link>,
      })}
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
