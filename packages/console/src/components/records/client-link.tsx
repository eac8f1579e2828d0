import { Link } from '../../router/link.tsx';
import { clientNamedRoute } from '../../router/routes.ts';

interface ClientLinkProps {
  readonly clientId: string;
  readonly className?: string;
}

/** A clientId that leads to the page of its client. */
export function ClientLink({ clientId, className }: ClientLinkProps) {
  return (
    <Link to={clientNamedRoute(clientId)} className={className} title={clientId}>
      <code>{clientId}</code>
    </Link>
  );
}
