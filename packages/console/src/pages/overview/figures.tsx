import type { StatisticsPage } from '@watchword/admin-client';
import type { Range } from '../../charts/buckets.ts';
import { Link } from '../../router/link.tsx';
import { routes } from '../../router/routes.ts';
import { atLeast } from './at-least.ts';

interface FiguresProps {
  /** How many there are, exactly. */
  readonly resourceServers: number;
  readonly clients: number;
  readonly statistics: StatisticsPage;
  readonly range: Range;
}

/** The numbers at the top. */
export function Figures({ resourceServers, clients, statistics, range }: FiguresProps) {
  const { clients: counted, issued, countLimit, next } = statistics;
  const isCut = next !== undefined || counted.some(({ tokens }) => tokens >= countLimit);
  const tokens = counted.reduce((sum, client) => sum + client.tokens, 0);
  const figures = [
    { label: 'resource servers', text: atLeast(resourceServers), to: routes.resourceServers },
    { label: 'clients', text: atLeast(clients), to: routes.clients },
    { label: 'active tokens', text: atLeast(tokens, isCut), to: routes.tokens },
    {
      label: `issued in ${range.label}`,
      text: atLeast(issued.reduce((sum, hour) => sum + hour.tokens, 0)),
      to: undefined,
    },
  ];
  return (
    <dl className="figures">
      {figures.map(({ label, text, to }) => (
        <div key={label} className="figure-of">
          <dt>{label}</dt>
          <dd>{to === undefined ? text : <Link to={to}>{text}</Link>}</dd>
        </div>
      ))}
    </dl>
  );
}
